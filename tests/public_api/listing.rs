//! The listing: what can be named from outside, one line for each item.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, ImplItem, Item, ItemMacro, Type, Visibility};

use super::{
    source::{
        Crate, Definition, Import, WRITTEN_BY_MACROS, attributes, imports_of, is_hidden, is_public,
        is_test, joined, kind_by_macro, name_of, variants_in_table,
    },
    text::{function, signature, text},
};

/// Collects the lines of a listing.
pub struct Listing<'c> {
    source: &'c Crate,
    with_hidden: bool,
    lines: BTreeSet<String>,
    /// The public path of each definition.
    named: BTreeMap<Definition, String>,
}

impl Listing<'_> {
    /// Lists the public items, one a line; hidden ones too, if asked for.
    pub fn text(source: &Crate, with_hidden: bool) -> String {
        let mut listing = Listing {
            source,
            with_hidden,
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
                        if !self.hides(attributes) {
                            self.import(module, &import);
                        }
                    }
                }
                Item::Mod(inner) => {
                    let path = joined(module, &inner.ident.to_string());
                    if self.hides(attributes) {
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
        let line = match self.source.item(&definition) {
            Some(item) if self.hides(attributes(item)) => format!("hidden {path}"),
            Some(item) => signature(item, &path),
            None => match variants_in_table(&self.source.modules[&definition.0], &definition.1) {
                Some(variants) => format!("enum {path} {{ {} }}", variants.join(", ")),
                None => format!("{} {path} {{ .. }}", kind_by_macro(&definition).unwrap()),
            },
        };
        self.lines.insert(line);
        self.named.insert(definition, path);
    }

    fn hides(&self, attributes: &[Attribute]) -> bool {
        !self.with_hidden && is_hidden(attributes)
    }

    /// Lists public methods and constants of the types that are listed, and the traits they have.
    fn members(&mut self) {
        for (module, items) in &self.source.modules {
            for item in items {
                if let Item::Macro(item) = item {
                    self.lines.extend(self.written_by(module, item));
                }
                let Item::Impl(block) = item else { continue };
                let Type::Path(of) = &*block.self_ty else {
                    continue;
                };
                let parts = of.path.segments.iter();
                let path = parts.map(|part| part.ident.to_string()).collect();
                let name = String::new();
                let import = Import { name, path };
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
                    if matches!(visibility, Visibility::Public(_)) && !self.hides(attributes) {
                        self.lines.insert(line);
                    }
                }
            }
        }
    }

    /// Returns the methods and constants of a type that a macro of its module writes.
    fn written_by(&self, module: &str, item: &ItemMacro) -> Vec<String> {
        let source = text(&item.mac.tokens);
        let made = WRITTEN_BY_MACROS
            .iter()
            .filter(|(of, name, _)| *of == module && source.contains(&format!("impl {name} {{")));
        let path = made
            .filter_map(|(of, name, _)| self.named.get(&((*of).to_owned(), (*name).to_owned())));
        path.flat_map(|path| {
            let members = source.split("pub ").skip(1);
            members.filter_map(move |member| {
                let (kind, name) = match member.split_once(' ')? {
                    ("const", rest) if rest.starts_with("fn ") => ("const fn", &rest[3..]),
                    (kind @ ("fn" | "const"), rest) => (kind, rest),
                    _ => return None,
                };
                let end = name.find(" {").into_iter().chain(name.find(" =")).min()?;
                Some(format!("{kind} {path}::{}", &name[..end]))
            })
        })
        .collect()
    }
}

fn public(path: &str) -> String {
    joined("robocensus", path)
}
