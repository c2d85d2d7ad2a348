//! The public API as a list, so that a change of it is seen in a review.
//!
//! The list is `tests/public-api.txt`, one line for each item that a user of the library can name
//! and that is documented. It is read from the source: `pub mod` and `pub use` are followed from
//! `src/lib.rs`, with all features. Of an item behind `#[doc(hidden)]` only that it is hidden is
//! listed. `UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api` writes the list anew.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, Meta, TraitItem, Type, UseTree, Visibility};

use crate::util::package;

/// The most documented items: each is a promise to users.
const MOST_ITEMS: usize = 250;

/// Types that a macro writes, which the source does not show: module, name, and what they are.
const WRITTEN_BY_MACROS: [(&str, &str, &str); 3] = [
    ("robots::anomaly", "AnomalyCode", "enum"),
    ("robots::field", "Field", "enum"),
    ("dialect::question", "QUESTIONS", "const"),
];

#[test]
fn the_public_api_is_listed() {
    let listing = Crate::read().listing();
    let path = package().join("tests/public-api.txt");
    if std::env::var_os("UPDATE_PUBLIC_API").is_some() {
        fs::write(&path, &listing).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap();
    let [listing, listed]: [BTreeSet<&str>; 2] =
        [&listing, &listed].map(|text| text.lines().collect());
    let added: Vec<_> = listing.difference(&listed).collect();
    let removed: Vec<_> = listed.difference(&listing).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "the public API differs from tests/public-api.txt, added: {added:#?}, removed: {removed:#?}\n\
         If that is meant: UPDATE_PUBLIC_API=1 cargo test --locked --test tests public_api"
    );
}

#[test]
fn the_public_api_is_small() {
    let listing = Crate::read().listing();
    let is_item = |line: &&str| !line.starts_with("impl ") && !line.starts_with("hidden ");
    let n_items = listing.lines().filter(is_item).count();
    println!("{n_items} documented items");
    assert!((60..MOST_ITEMS).contains(&n_items), "{n_items}");
    for name in [
        "struct robocensus::Robots ",
        "fn robocensus::Robots::decide",
        "fn robocensus::run(",
    ] {
        assert!(listing.lines().any(|line| line.starts_with(name)), "{name}");
    }
}

#[test]
fn a_listing_follows_what_is_public() {
    let sources = [
        (
            "",
            "pub mod a; mod b; #[doc(hidden)] pub mod c; pub use b::{Kept as Renamed, inner::*};\n\
              pub(crate) use b::Unseen; #[cfg(test)] pub mod tests { pub fn f() {} }",
        ),
        (
            "a",
            "pub const N: usize = 1; fn private() {} pub fn f<'a>(x: &'a [u8], n: u32) -> Option<&'a u8> { None }",
        ),
        (
            "b",
            "pub mod inner; #[derive(Clone, Debug)] pub struct Kept { pub a: u8, b: u8 }\n\
               impl Kept { pub fn new() -> Self { todo!() } fn hidden(&self) {} #[doc(hidden)] pub fn own(&self) {} }\n\
               impl From<u8> for Kept { fn from(a: u8) -> Self { todo!() } } pub struct Unseen;",
        ),
        (
            "b::inner",
            "pub enum E { A, B(u8) } impl super::Kept { pub const X: u8 = 1; } pub(crate) fn no() {}",
        ),
        ("c", "pub fn of_c() {}"),
    ];
    let modules =
        sources.map(|(path, text)| (path.to_owned(), syn::parse_file(text).unwrap().items));
    let listing = Crate::of(modules.into()).listing();
    assert_eq!(
        listing,
        "const robocensus::Renamed::X: u8\n\
         const robocensus::a::N: usize\n\
         enum robocensus::E { A, B(u8) }\n\
         fn robocensus::Renamed::new() -> Self\n\
         fn robocensus::a::f<'a>(x: &'a [u8], n: u32) -> Option<&'a u8>\n\
         hidden robocensus::c\n\
         impl From<u8> for robocensus::Renamed\n\
         mod robocensus::a\n\
         struct robocensus::Renamed { a: u8, .. } Clone, Debug\n"
    );
}

/// The items of all modules, by path below the crate, such as `dialect::spec`.
struct Crate {
    modules: BTreeMap<String, Vec<Item>>,
}

/// A module and the name of an item in it.
type Definition = (String, String);

impl Crate {
    fn read() -> Self {
        let mut modules = BTreeMap::new();
        let mut paths = vec![String::new()];
        while let Some(path) = paths.pop() {
            let below = path.replace("::", "/");
            let files = match below.as_str() {
                "" => vec!["src/lib.rs".to_owned()],
                below => vec![format!("src/{below}.rs"), format!("src/{below}/mod.rs")],
            };
            let file = files
                .iter()
                .map(|file| package().join(file))
                .find(|file| file.is_file());
            let text = fs::read_to_string(file.unwrap()).unwrap();
            let items = syn::parse_file(&text).unwrap().items;
            for item in &items {
                if let Item::Mod(module) = item
                    && module.content.is_none()
                    && !is_test(&module.attrs)
                {
                    paths.push(joined(&path, &module.ident.to_string()));
                }
            }
            modules.insert(path, items);
        }
        Self::of(modules)
    }

    fn of(modules: BTreeMap<String, Vec<Item>>) -> Self {
        Self { modules }
    }

    fn listing(&self) -> String {
        let mut listing = Listing {
            source: self,
            lines: BTreeSet::new(),
            named: BTreeMap::new(),
        };
        // Shorter paths first, so that an item is listed where users find it.
        let mut modules = vec![String::new()];
        while !modules.is_empty() {
            modules = modules
                .iter()
                .flat_map(|module| listing.module(module))
                .collect();
        }
        listing.members();
        listing.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// Returns where the item that `module` calls `name` is defined.
    fn definition(&self, module: &str, name: &str) -> Option<Definition> {
        let items = self.modules.get(module)?;
        let is_macro_made = WRITTEN_BY_MACROS
            .iter()
            .any(|made| (made.0, made.1) == (module, name));
        if is_macro_made
            || items
                .iter()
                .any(|item| name_of(item).is_some_and(|own| own == name))
        {
            return Some((module.to_owned(), name.to_owned()));
        }
        imports(items).into_iter().find_map(|import| {
            let (of, target) = import.target(self, module)?;
            match target.as_str() {
                "*" => self.definition(&of, name).filter(|_| of != module),
                _ if import.name == name => self.definition(&of, &target),
                _ => None,
            }
        })
    }

    fn item(&self, (module, name): &Definition) -> Option<&Item> {
        let mut items = self.modules[module].iter();
        items.find(|item| name_of(item).is_some_and(|own| own == *name))
    }
}

/// A listing in the making.
struct Listing<'c> {
    source: &'c Crate,
    lines: BTreeSet<String>,
    /// The public path of each definition.
    named: BTreeMap<Definition, String>,
}

impl Listing<'_> {
    /// Lists the public items of a module, which is public itself, and returns its public modules.
    fn module(&mut self, module: &str) -> Vec<String> {
        let mut below = Vec::new();
        let source = self.source;
        for item in &source.modules[module] {
            let attributes = attributes(item);
            if is_test(attributes) || !is_public(item) {
                continue;
            }
            match item {
                Item::Use(import) => {
                    for import in imports_of(&import.tree) {
                        if !is_hidden(attributes) {
                            self.import(module, &import);
                        }
                    }
                }
                Item::Mod(inner) => {
                    let path = joined(module, &inner.ident.to_string());
                    if is_hidden(attributes) {
                        self.lines.insert(format!("hidden {}", public(&path)));
                    } else {
                        self.lines.insert(format!("mod {}", public(&path)));
                        below.push(path);
                    }
                }
                _ => {
                    let name = name_of(item).unwrap_or_default();
                    self.define((module.to_owned(), name.clone()), joined(module, &name));
                }
            }
        }
        below
    }

    fn import(&mut self, module: &str, import: &Import) {
        let (of, target) = import
            .target(self.source, module)
            .unwrap_or_else(|| panic!("{module}: {}", import.path.join("::")));
        if target != "*" {
            let definition = self.source.definition(&of, &target);
            let definition = definition.unwrap_or_else(|| panic!("{of}::{target} is not defined"));
            return self.define(definition, joined(module, &import.name));
        }
        let source = self.source;
        for item in source.modules[&of].iter().filter(|item| is_public(item)) {
            if let Some(name) = name_of(item) {
                self.define((of.clone(), name.clone()), joined(module, &name));
            }
        }
    }

    /// Lists a definition under the first of its public names, and the others as its aliases.
    fn define(&mut self, definition: Definition, path: String) {
        let path = public(&path);
        if let Some(first) = self.named.get(&definition) {
            self.lines.insert(format!("use {path} = {first}"));
            return;
        }
        let made = WRITTEN_BY_MACROS
            .iter()
            .find(|made| (made.0, made.1) == (&definition.0, &definition.1));
        let line = match self.source.item(&definition) {
            Some(item) if is_hidden(attributes(item)) => format!("hidden {path}"),
            Some(item) => signature(item, &path),
            None => format!("{} {path} {{ .. }}", made.unwrap().2),
        };
        self.lines.insert(line);
        self.named.insert(definition, path);
    }

    /// Lists public methods and constants of the types that are listed, and the traits they have.
    fn members(&mut self) {
        for (module, items) in &self.source.modules {
            for item in items {
                let Item::Impl(block) = item else { continue };
                let Type::Path(of) = &*block.self_ty else {
                    continue;
                };
                let names: Vec<_> = of
                    .path
                    .segments
                    .iter()
                    .map(|part| part.ident.to_string())
                    .collect();
                let import = Import {
                    name: String::new(),
                    path: names,
                };
                let Some((of, name)) = import.target(self.source, module) else {
                    continue;
                };
                let definition = self.source.definition(&of, &name);
                let Some(path) = definition.and_then(|definition| self.named.get(&definition))
                else {
                    continue;
                };
                if let Some((name, _)) = &block.trait_ {
                    self.lines.insert(format!("impl {} for {path}", text(name)));
                    continue;
                }
                for member in &block.items {
                    let (attributes, visibility, line) = match member {
                        ImplItem::Fn(f) => (&f.attrs, &f.vis, function(&f.sig, path)),
                        ImplItem::Const(c) => (
                            &c.attrs,
                            &c.vis,
                            format!("const {path}::{}: {}", c.ident, text(&c.ty)),
                        ),
                        _ => continue,
                    };
                    if matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes) {
                        self.lines.insert(line);
                    }
                }
            }
        }
    }
}

/// One name that a `use` brings, and the path behind it, whose last part is `*` for all names.
struct Import {
    name: String,
    path: Vec<String>,
}

impl Import {
    /// Returns the module of this crate that the path leads to, and the name there; `None` for
    /// another crate.
    fn target(&self, source: &Crate, module: &str) -> Option<Definition> {
        let (name, parents) = self.path.split_last()?;
        let mut at = module.to_owned();
        for (index, part) in parents.iter().enumerate() {
            at = match part.as_str() {
                "crate" => String::new(),
                "self" => at,
                "super" => at
                    .rsplit_once("::")
                    .map_or("", |(parent, _)| parent)
                    .to_owned(),
                part => {
                    let child = joined(&at, part);
                    match source.modules.contains_key(&child) {
                        true => child,
                        // A module that was imported, or another crate.
                        false if index == 0 => {
                            let all = source.modules.get(module)?;
                            let import = imports(all)
                                .into_iter()
                                .find(|import| import.name == part)?;
                            let (of, name) = import.target(source, module)?;
                            joined(&of, &name)
                        }
                        false => return None,
                    }
                }
            };
        }
        source.modules.contains_key(&at).then(|| (at, name.clone()))
    }
}

/// Returns what the `use` items of a module bring.
fn imports(items: &[Item]) -> Vec<Import> {
    let trees = items.iter().filter_map(|item| match item {
        Item::Use(import) if !is_test(&import.attrs) => Some(&import.tree),
        _ => None,
    });
    trees.flat_map(imports_of).collect()
}

fn imports_of(tree: &UseTree) -> Vec<Import> {
    let single = |name: String, last: String| {
        vec![Import {
            name,
            path: vec![last],
        }]
    };
    match tree {
        UseTree::Path(path) => {
            let mut imports = imports_of(&path.tree);
            for import in &mut imports {
                import.path.insert(0, path.ident.to_string());
            }
            imports
        }
        UseTree::Name(name) => single(name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(rename) => single(rename.rename.to_string(), rename.ident.to_string()),
        UseTree::Glob(_) => single("*".to_owned(), "*".to_owned()),
        UseTree::Group(group) => group.items.iter().flat_map(imports_of).collect(),
        _ => Vec::new(),
    }
}

/// Returns the line of an item, but for its methods.
fn signature(item: &Item, path: &str) -> String {
    match item {
        Item::Const(item) => format!("const {path}: {}", text(&item.ty)),
        Item::Static(item) => format!("static {path}: {}", text(&item.ty)),
        Item::Fn(item) => {
            let parent = path.rsplit_once("::").map_or("", |(parent, _)| parent);
            function(&item.sig, parent)
        }
        Item::Type(item) => format!("type {path}{} = {}", text(&item.generics), text(&item.ty)),
        Item::Struct(item) => {
            let fields = fields(&item.fields, false);
            format!(
                "struct {path}{} {fields}{}",
                text(&item.generics),
                derives(&item.attrs)
            )
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
            let variants: Vec<_> = variants.collect();
            format!(
                "enum {path} {{ {} }}{}",
                variants.join(", "),
                derives(&item.attrs)
            )
        }
        Item::Trait(item) => {
            let members = item.items.iter().filter_map(|member| match member {
                TraitItem::Fn(member) => Some(text(&member.sig)),
                _ => None,
            });
            let members: Vec<_> = members.collect();
            format!("trait {path} {{ {} }}", members.join("; "))
        }
        _ => format!("item {path}"),
    }
}

fn function(signature: &syn::Signature, parent: &str) -> String {
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
                names.push("non_exhaustive".to_owned())
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
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace('\n', " ");
    for (long, short) in [
        (" ::", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (", )", ")"),
        (",)", ")"),
        ("& ", "&"),
        (" :", ":"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
    ] {
        text = text.replace(long, short);
    }
    text
}

fn public(path: &str) -> String {
    joined("robocensus", path)
}

fn joined(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        _ => format!("{module}::{name}"),
    }
}

/// Returns the name of an item that can be used from elsewhere; modules have theirs in the tree.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Mod(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        Item::Use(item) => &item.vis,
        _ => return false,
    };
    matches!(visibility, Visibility::Public(_))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns true if and only if an item is `#[doc(hidden)]`.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("doc") && text(&list.tokens) == "hidden",
        _ => false,
    })
}

/// Returns true if and only if an item is `#[cfg(test)]`.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && text(&list.tokens) == "test",
        _ => false,
    })
}
