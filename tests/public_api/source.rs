//! The source as modules of items, and where their names lead.

use std::{collections::BTreeMap, fs};

use syn::{Attribute, Ident, Item, Meta, UseTree, Visibility};

use super::text::text;
use crate::util::package;

/// Types that a macro writes, which the source does not show: module, name, and what they are.
pub const WRITTEN_BY_MACROS: [(&str, &str, &str); 7] = [
    ("robots::dialect::anomaly::code", "AnomalyCode", "enum"),
    ("robots::dialect::definition", "AccessPolicy", "struct"),
    ("robots::dialect::definition", "CHOICES", "const"),
    ("robots::dialect::definition", "Dialect", "struct"),
    ("robots::lines::field", "Field", "enum"),
    ("archive::http::finding", "Finding", "enum"),
    ("archive::warc::fault", "FaultKind", "enum"),
];

/// Returns what a definition is that a macro writes.
pub fn kind_by_macro((module, name): &Definition) -> Option<&'static str> {
    let mut made = WRITTEN_BY_MACROS.iter();
    let made = made.find(|made| (made.0, made.1) == (module, name))?;
    Some(made.2)
}

/// The items of all modules, by path below the crate, such as `dialect::spec`.
pub struct Crate {
    pub modules: BTreeMap<String, Vec<Item>>,
}

/// A module and the name of an item in it.
pub type Definition = (String, String);

impl Crate {
    pub fn read() -> Self {
        let mut modules = BTreeMap::new();
        let mut paths = vec![String::new()];
        while let Some(path) = paths.pop() {
            let below = path.replace("::", "/");
            let files = match below.as_str() {
                "" => vec!["src/lib.rs".to_owned()],
                below => vec![format!("src/{below}.rs"), format!("src/{below}/mod.rs")],
            };
            let mut files = files.iter().map(|file| package().join(file));
            let file = files.find(|file| file.is_file());
            let text = fs::read_to_string(file.unwrap()).unwrap();
            let mut items = syn::parse_file(&text).unwrap().items;
            let written: Vec<_> = items.iter().flat_map(written_by).collect();
            items.extend(written);
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
        Self { modules }
    }

    /// Returns where the item that `module` calls `name` is defined.
    pub fn definition(&self, module: &str, name: &str) -> Option<Definition> {
        let items = self.modules.get(module)?;
        let definition = (module.to_owned(), name.to_owned());
        let is_in_source = self.item(&definition).is_some();
        if is_in_source
            || kind_by_macro(&definition).is_some()
            || variants_in_table(items, name).is_some()
        {
            return Some(definition);
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

    pub fn item(&self, (module, name): &Definition) -> Option<&Item> {
        let mut items = self.modules[module].iter();
        items.find(|item| name_of(item).is_some_and(|own| own == *name))
    }
}

/// Returns the items that a call of `named!` or of `dialects!` writes, and of `described!` methods.
fn written_by(item: &Item) -> Vec<Item> {
    let Item::Macro(call) = item else {
        return Vec::new();
    };
    let mut tokens = call.mac.tokens.clone().into_iter().peekable();
    if call.mac.path.is_ident("named") {
        let has_all = tokens.next_if(|token| token.to_string() == "ALL").is_some();
        let written: syn::ItemEnum = syn::parse2(tokens.collect()).unwrap();
        let (name, n) = (&written.ident, written.variants.len());
        let all = format!("pub const ALL: [Self; {n}] = [];");
        let all = if has_all { &*all } else { "" };
        let names = "pub fn as_str(self) -> &'static str { NAME }";
        let methods = syn::parse_str(&format!("impl {name} {{ {names} {all} }}"));
        return vec![Item::Enum(written), methods.unwrap()];
    }
    if call.mac.path.is_ident("described") {
        let declared = text(&call.mac.tokens);
        let declared = declared.split_once("pub enum ").unwrap().1;
        let (name, example) = declared.split_once(';').unwrap().0.split_once(':').unwrap();
        let text = |name: &str| format!("pub fn {name}(self) -> &'static str {{}}");
        let texts = ["as_str", "sentence"].map(text).concat();
        let others = "pub fn severity(self) -> Severity {} pub fn example(self) ->";
        let all = format!("pub const ALL: &[{name}] = &[];");
        let methods = format!("impl {name} {{ {all} {texts} {others} {example} {{}} }}");
        return vec![syn::parse_str(&methods).unwrap()];
    }
    if call.mac.path.is_ident("dialects") {
        let words: Vec<_> = tokens.map(|token| token.to_string()).collect();
        let named = words.windows(2).filter(|pair| pair[1] == "in");
        let constant = |pair: &[String]| format!("pub const {}: Dialect = X;", pair[0]);
        let (named, n) = (named.clone().map(constant), named.count());
        let all = format!("pub const BUILT_IN: [&'static Dialect; {n}] = [];");
        let constants = format!("impl Dialect {{ {} {all} }}", named.collect::<String>());
        let names = format!("pub const NAMES: [&str; {n}] = [];");
        return syn::parse_file(&(names + &constants)).unwrap().items;
    }
    Vec::new()
}

/// Returns the variants of an enum that a table in a macro call defines, such as that of the
/// choices of a dialect: `Name, "about" { Variant "word" "meaning"; .. }`.
pub fn variants_in_table(items: &[Item], name: &str) -> Option<Vec<String>> {
    items.iter().find_map(|item| {
        let Item::Macro(call) = item else { return None };
        let table = text(&call.mac.tokens);
        let (mut head, parts) = table.split_once('{').filter(|_| call.ident.is_none())?;
        let rows = parts.split('{').find(|part| {
            let before = match head.trim_end().strip_suffix('"') {
                Some(about) => about.rsplit_once('"').map_or("", |(before, _)| before),
                None => head,
            };
            head = part;
            before.trim_end_matches([' ', ',']).rsplit(' ').next() == Some(name)
        })?;
        let words: Vec<_> = rows.split('}').next()?.split_whitespace().collect();
        let is_variant = |word: &str| {
            word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric)
        };
        let pairs = words.windows(2).filter(|pair| pair[1].starts_with('"'));
        let variants = pairs
            .filter(|pair| is_variant(pair[0]))
            .map(|pair| pair[0].to_owned());
        Some(variants.collect())
    })
}

/// One name that a `use` brings, and the path behind it, whose last part is `*` for all names.
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
}

impl Import {
    /// Returns the module of this crate that the path leads to, and the name there; `None` for
    /// another crate.
    pub fn target(&self, source: &Crate, module: &str) -> Option<Definition> {
        let (name, parents) = self.path.split_last()?;
        let mut at = module.to_owned();
        for (index, part) in parents.iter().enumerate() {
            at = match part.as_str() {
                "crate" => String::new(),
                "self" => at,
                "super" => parent(&at).to_owned(),
                part => {
                    let child = joined(&at, part);
                    match source.modules.contains_key(&child) {
                        true => child,
                        // A module that was imported, or another crate.
                        false if index == 0 => {
                            let mut all = imports(source.modules.get(module)?).into_iter();
                            let import = all.find(|import| import.name == part)?;
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

pub fn imports_of(tree: &UseTree) -> Vec<Import> {
    let single = |name: String, last: String| {
        let path = vec![last];
        vec![Import { name, path }]
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
    }
}

pub fn parent(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(parent, _)| parent)
}

pub fn joined(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        _ => format!("{module}::{name}"),
    }
}

/// Returns the attributes of an item, its visibility, and the name that other modules can use;
/// modules have theirs in the tree.
fn parts(item: &Item) -> Option<(&[Attribute], &Visibility, Option<&Ident>)> {
    Some(match item {
        Item::Const(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Enum(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Fn(item) => (&item.attrs, &item.vis, Some(&item.sig.ident)),
        Item::Mod(item) => (&item.attrs, &item.vis, None),
        Item::Static(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Struct(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Trait(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Type(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Union(item) => (&item.attrs, &item.vis, Some(&item.ident)),
        Item::Use(item) => (&item.attrs, &item.vis, None),
        _ => return None,
    })
}

pub fn name_of(item: &Item) -> Option<String> {
    parts(item)?.2.map(Ident::to_string)
}

pub fn is_public(item: &Item) -> bool {
    parts(item).is_some_and(|(_, visibility, _)| matches!(visibility, Visibility::Public(_)))
}

pub fn attributes(item: &Item) -> &[Attribute] {
    parts(item).map_or(&[], |(attributes, ..)| attributes)
}

/// Returns true if and only if an item is `#[doc(hidden)]`.
pub fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden")
}

/// Returns true if and only if an item is `#[cfg(test)]`.
pub fn is_test(attributes: &[Attribute]) -> bool {
    has(attributes, "cfg", "test")
}

fn has(attributes: &[Attribute], name: &str, argument: &str) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident(name) && text(&list.tokens) == argument,
        _ => false,
    })
}
