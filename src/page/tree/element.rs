//! An element that is open.

use super::{
    super::tag::{Tag, TagSet},
    sets::{MATHML_TEXT, SPECIAL, SVG_HTML},
};

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    /// HTML.
    Html,
    /// MathML.
    MathMl,
    /// SVG.
    Svg,
}

/// An open element: what later tags can depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// The name, where a rule mentions it.
    pub tag: Tag,
    /// The namespace.
    pub namespace: Namespace,
    /// A hash of the name, by which names that no rule mentions are compared.
    pub name: u32,
    /// A number that no other element of the page has.
    pub id: u32,
    /// A hash of the attributes of a formatting element.
    pub attributes: u64,
    /// Whether it is an `annotation-xml` whose content is HTML.
    pub holds_html: bool,
}

impl Element {
    /// Returns true if and only if it is the HTML element `tag`.
    pub fn is(&self, tag: Tag) -> bool {
        self.namespace == Namespace::Html && self.tag == tag
    }

    /// Returns true if and only if it has the name of a tag, whatever its namespace.
    pub fn has_name(&self, tag: Tag, name: u32) -> bool {
        self.tag == tag && (tag != Tag::Other || self.name == name)
    }

    /// Returns true if and only if it is an HTML element of `set`.
    pub fn is_in(&self, set: TagSet) -> bool {
        self.namespace == Namespace::Html && set.has(self.tag)
    }

    /// Returns true if and only if it is one of the foreign elements that every scope ends at.
    fn is_foreign_boundary(&self) -> bool {
        match self.namespace {
            Namespace::Html => false,
            Namespace::MathMl => MATHML_TEXT.has(self.tag) || self.tag == Tag::AnnotationXml,
            Namespace::Svg => SVG_HTML.has(self.tag),
        }
    }

    /// Returns true if and only if a search for an element in `scope` ends here.
    pub fn ends(&self, scope: TagSet) -> bool {
        self.is_in(scope) || self.is_foreign_boundary()
    }

    /// Returns true if and only if it is in the category "special" (13.2.4.2).
    pub fn is_special(&self) -> bool {
        self.is_in(SPECIAL) || self.is_foreign_boundary()
    }

    /// Returns true if and only if text in it is foreign content.
    pub fn has_foreign_text(&self) -> bool {
        self.namespace != Namespace::Html && !self.is_mathml_text() && !self.is_html_integration()
    }

    /// Returns true if and only if it is a MathML text integration point.
    pub fn is_mathml_text(&self) -> bool {
        self.namespace == Namespace::MathMl && MATHML_TEXT.has(self.tag)
    }

    /// Returns true if and only if it is an HTML integration point.
    pub fn is_html_integration(&self) -> bool {
        self.holds_html || self.namespace == Namespace::Svg && SVG_HTML.has(self.tag)
    }
}
