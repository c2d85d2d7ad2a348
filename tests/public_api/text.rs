//! Items as the text of a line.

use quote::ToTokens;
use syn::{Attribute, Fields, Item, Meta, TraitItem, Visibility};

use super::source::{is_hidden, parent};

/// Returns the line of an item, but for its methods.
pub fn signature(item: &Item, path: &str) -> String {
    match item {
        Item::Const(item) => format!("const {path}: {}", text(&item.ty)),
        Item::Static(item) => format!("static {path}: {}", text(&item.ty)),
        Item::Fn(item) => function(&item.sig, parent(path)),
        Item::Type(item) => format!("type {path}{} = {}", text(&item.generics), text(&item.ty)),
        Item::Struct(item) => {
            let (generics, fields) = (text(&item.generics), fields(&item.fields, false));
            format!("struct {path}{generics} {fields}{}", derives(&item.attrs))
        }
        Item::Enum(item) => {
            let variants = item.variants.iter().map(|variant| {
                let fields = match &variant.fields {
                    Fields::Unit => String::new(),
                    Fields::Unnamed(_) => fields(&variant.fields, true),
                    Fields::Named(_) => format!(" {}", fields(&variant.fields, true)),
                };
                format!("{}{fields}", variant.ident)
            });
            let variants = variants.collect::<Vec<_>>().join(", ");
            format!("enum {path} {{ {variants} }}{}", derives(&item.attrs))
        }
        Item::Trait(item) => {
            let members = item.items.iter().filter_map(|member| match member {
                TraitItem::Fn(member) => Some(text(&member.sig)),
                _ => None,
            });
            let members = members.collect::<Vec<_>>().join("; ");
            format!("trait {path} {{ {members} }}")
        }
        _ => format!("item {path}"),
    }
}

pub fn function(signature: &syn::Signature, parent: &str) -> String {
    let name = signature.ident.to_string();
    let text = text(signature);
    let (before, after) = text.split_once(&format!("fn {name}")).unwrap();
    format!("{before}fn {parent}::{name}{after}")
}

/// Returns the public fields; those of a variant are public with it.
fn fields(fields: &Fields, are_public: bool) -> String {
    let mut shown = Vec::new();
    let mut is_partial = false;
    for field in fields {
        let is_shown = are_public || matches!(field.vis, Visibility::Public(_));
        match &field.ident {
            _ if !is_shown || is_hidden(&field.attrs) => is_partial = true,
            Some(name) => shown.push(format!("{name}: {}", text(&field.ty))),
            None => shown.push(text(&field.ty)),
        }
    }
    if is_partial {
        shown.push("..".to_owned());
    }
    match fields {
        Fields::Unnamed(_) => format!("({})", shown.join(", ")),
        _ => format!("{{ {} }}", shown.join(", ")),
    }
}

/// Returns what an item derives, and whether it may grow.
fn derives(attributes: &[Attribute]) -> String {
    let mut names = Vec::new();
    for attribute in attributes {
        match &attribute.meta {
            Meta::List(list) if list.path.is_ident("derive") => names.push(text(&list.tokens)),
            Meta::Path(path) if path.is_ident("non_exhaustive") => {
                names.push("non_exhaustive".to_owned());
            }
            _ => {}
        }
    }
    if names.is_empty() {
        String::new()
    } else {
        format!(" {}", names.join(", "))
    }
}

/// Returns tokens as text with about the spaces that people write.
pub fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for spaced in [
        " ::", ":: ", " <", "< ", " >", " ,", "& ", " :", " (", "( ", " )", "[ ", " ]", " ;",
    ] {
        text = text.replace(spaced, spaced.trim());
    }
    text.replace(",)", ")").replace("? Sized", "?Sized")
}
