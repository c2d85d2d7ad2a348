//! Foreign content: elements of SVG and MathML (HTML Standard, 13.2.6.5).

use super::{Namespace, StartTag, Step, Tag, Tree, element::Element, sets::BREAKOUT};

impl Tree {
    /// Returns true if and only if a start tag is processed by the rules for foreign content.
    pub(super) fn is_start_foreign(&self, tag: Tag) -> bool {
        let Some(current) = self.stack.current() else {
            return false;
        };
        if current.namespace == Namespace::Html || current.is_html_integration() {
            return false;
        }
        if current.is_mathml_text() {
            return matches!(tag, Tag::Mglyph | Tag::Malignmark);
        }
        let is_annotation =
            current.namespace == Namespace::MathMl && current.tag == Tag::AnnotationXml;
        !(is_annotation && tag == Tag::Svg)
    }

    pub(super) fn start_foreign(&mut self, token: &StartTag) {
        if BREAKOUT.has(token.tag) || token.tag == Tag::Font && token.has_font_attribute {
            self.leave_foreign();
            while self.start_in(self.mode, token) == Step::Again {}
            return;
        }
        let namespace = self.stack.current().map(|element| element.namespace);
        self.insert_foreign(token, namespace.unwrap_or(Namespace::Html));
    }

    /// Inserts an element of SVG or MathML, which no statement is about.
    pub(super) fn insert_foreign(&mut self, token: &StartTag, namespace: Namespace) {
        let element = self.element(token, namespace);
        if !token.is_self_closing {
            self.stack.push(element);
        }
    }

    /// Closes elements until HTML may follow.
    fn leave_foreign(&mut self) {
        while self.stack.current().is_some_and(Element::has_foreign_text) {
            self.stack.pop();
        }
    }

    pub(super) fn end_foreign(&mut self, tag: Tag, name: u32) {
        if matches!(tag, Tag::Br | Tag::P) {
            self.leave_foreign();
            while self.end_in(self.mode, tag, name) == Step::Again {}
            return;
        }
        for index in (1..self.stack.len()).rev() {
            let Some(element) = self.stack.get(index) else {
                return;
            };
            if element.namespace == Namespace::Html {
                while self.end_in(self.mode, tag, name) == Step::Again {}
                return;
            }
            if element.has_name(tag, name) {
                return self.stack.truncate(index);
            }
        }
    }
}
