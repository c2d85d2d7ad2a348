//! The elements of a page by html5ever, an independent parser; for the tests of the library too.

use html5ever::{Attribute, ParseOpts, local_name, ns, parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element of HTML.
pub struct Element<'e> {
    pub name: &'e str,
    /// `head`, `body` or `noscript`.
    pub place: &'static str,
    attributes: &'e [Attribute],
}

impl Element<'_> {
    /// Returns the value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|attribute| &*attribute.name.local == name);
        found.map(|attribute| &*attribute.value)
    }
}

/// Calls a function with each element of a page, in the order of their start tags, without those
/// inside templates.
pub fn each_element(page: &[u8], mut each: impl FnMut(&Element<'_>)) {
    let mut options = ParseOpts::default();
    options.tree_builder.scripting_enabled = false;
    let dom = parse_document(RcDom::default(), options)
        .from_utf8()
        .one(page);
    walk(&dom.document, "body", &mut each);
}

fn walk(node: &Handle, place: &'static str, each: &mut impl FnMut(&Element<'_>)) {
    let mut inside = place;
    if let NodeData::Element { name, attrs, .. } = &node.data
        && name.ns == ns!(html)
    {
        match name.local {
            local_name!("noscript") => inside = "noscript",
            local_name!("head") => inside = "head",
            _ => {}
        }
        each(&Element {
            name: &name.local,
            place,
            attributes: &attrs.borrow(),
        });
    }
    // The contents of a template are not among its children.
    for child in node.children.borrow().iter() {
        walk(child, inside, each);
    }
}
