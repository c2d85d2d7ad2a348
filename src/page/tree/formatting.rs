//! The list of active formatting elements (HTML Standard, 13.2.4.3) and the adoption agency
//! algorithm (13.2.6.4.7).
//!
//! Formatting elements that a page leaves open are opened again in what follows, so they decide
//! which elements are open, though no statement depends on them.

use super::{
    super::tag::{Tag, TagSet},
    Tree,
    element::Element,
    sets::{FORMATTING, SCOPE},
};

/// Entries of the list. Further ones are not added, and the page is flagged as nested too deep.
const MAX_ENTRIES: usize = 256;

/// The formatting elements that were opened and not yet closed by their own end tags. `None` is a
/// marker: the begin of an element outside of which formatting elements do not reach in.
#[derive(Debug, Default)]
pub(super) struct Formatting(Vec<Option<Element>>);

impl Formatting {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a marker, unless the list is full.
    pub fn mark(&mut self) {
        if self.0.len() < MAX_ENTRIES {
            self.0.push(None);
        }
    }

    /// Adds an element, dropping the earliest of three equal ones, and returns false where the
    /// list is full.
    fn push(&mut self, element: Element) -> bool {
        let is_equal =
            |other: &Element| other.tag == element.tag && other.attributes == element.attributes;
        let third = self.behind_marker().filter(is_equal).nth(2);
        if let Some(third) = third {
            self.remove(third.id);
        }
        let has_capacity = self.0.len() < MAX_ENTRIES;
        if has_capacity {
            self.0.push(Some(element));
        }
        has_capacity
    }

    /// Removes the entries back to and including the last marker.
    pub fn clear_to_marker(&mut self) {
        while let Some(Some(_)) = self.0.pop() {}
    }

    /// Returns the elements behind the last marker, the last one first.
    fn behind_marker(&self) -> impl Iterator<Item = Element> {
        self.0.iter().rev().map_while(|entry| *entry)
    }

    /// Returns the last element `tag` behind the last marker.
    fn last(&self, tag: Tag) -> Option<Element> {
        self.behind_marker().find(|element| element.tag == tag)
    }

    fn position(&self, id: u32) -> Option<usize> {
        let is_it = |entry: &Option<Element>| entry.is_some_and(|element| element.id == id);
        self.0.iter().rposition(is_it)
    }

    fn remove(&mut self, id: u32) {
        if let Some(index) = self.position(id) {
            self.0.remove(index);
        }
    }
}

impl Tree {
    /// Opens a formatting element and adds it to the list.
    pub(super) fn push_formatting(&mut self, element: Element) {
        if self.stack.push(element) && !self.formatting.push(element) {
            self.stack.is_too_deep = true;
        }
    }

    /// Opens again the formatting elements that are in the list and not open ("reconstruct the
    /// active formatting elements").
    pub(in super::super) fn reconstruct(&mut self) {
        if self.formatting.0.is_empty() {
            return;
        }
        let is_closed = |element: &Element| self.stack.position(element.id).is_none();
        let n_closed = self
            .formatting
            .behind_marker()
            .take_while(is_closed)
            .count();
        for index in self.formatting.0.len() - n_closed..self.formatting.0.len() {
            if let Some(element) = self.formatting.0[index] {
                let element = self.copy_of(element);
                if !self.stack.push(element) {
                    return;
                }
                self.formatting.0[index] = Some(element);
            }
        }
    }

    /// Closes an `a` that is open where another begins.
    pub(super) fn close_open_link(&mut self) {
        let Some(element) = self.formatting.last(Tag::A) else {
            return;
        };
        self.adopt(Tag::A, element.name);
        self.formatting.remove(element.id);
        if let Some(index) = self.stack.position(element.id) {
            self.stack.remove(index);
        }
    }

    /// Processes the end tag of a formatting element ("adoption agency algorithm"), without the
    /// nodes that it moves.
    pub(super) fn adopt(&mut self, tag: Tag, name: u32) {
        if let Some(current) = self.stack.current()
            && current.is(tag)
        {
            // Most elements are closed while nothing else was opened.
            let entry = self.formatting.position(current.id);
            if entry.is_none_or(|entry| entry + 1 == self.formatting.0.len()) {
                self.formatting.remove(current.id);
                return self.stack.pop();
            }
        }
        for _ in 0..8 {
            let Some(element) = self.formatting.last(tag) else {
                return self.close_any(tag, name);
            };
            let Some(index) = self.stack.position(element.id) else {
                return self.formatting.remove(element.id);
            };
            if !self.stack.has_id_in(SCOPE, element.id) {
                return;
            }
            let above = index + 1..self.stack.len();
            let is_special =
                |&index: &usize| self.stack.get(index).is_some_and(Element::is_special);
            let Some(furthest) = above.into_iter().find(is_special) else {
                self.stack.truncate(index);
                return self.formatting.remove(element.id);
            };
            self.adopt_block(element, index, furthest);
        }
    }

    /// Moves the formatting `element` at `index` into the block at `furthest`, with copies of the
    /// elements between them.
    fn adopt_block(&mut self, element: Element, index: usize, mut furthest: usize) {
        let mut bookmark = None;
        let mut n_inner = 0;
        let mut at = furthest;
        while at > index + 1 {
            at -= 1;
            n_inner += 1;
            let Some(&node) = self.stack.get(at) else {
                break;
            };
            let mut entry = self.formatting.position(node.id);
            if n_inner > 3 && entry.is_some() {
                self.formatting.remove(node.id);
                entry = None;
            }
            let Some(entry) = entry else {
                self.stack.remove(at);
                furthest -= 1;
                continue;
            };
            let copy = self.copy_of(node);
            self.formatting.0[entry] = Some(copy);
            self.stack.replace(at, copy);
            // The first of these is next to the block.
            bookmark.get_or_insert(copy.id);
        }
        let copy = self.copy_of(element);
        match bookmark {
            None => {
                if let Some(entry) = self.formatting.position(element.id) {
                    self.formatting.0[entry] = Some(copy);
                }
            }
            Some(id) => {
                self.formatting.remove(element.id);
                if let Some(entry) = self.formatting.position(id) {
                    self.formatting.0.insert(entry + 1, Some(copy));
                }
            }
        }
        // Removing the element moves the block one down, so this is behind it.
        self.stack.remove(index);
        self.stack.insert(furthest, copy);
    }

    /// Returns the same element with a number of its own.
    fn copy_of(&mut self, element: Element) -> Element {
        Element {
            id: self.next_id(),
            ..element
        }
    }
}

/// Formatting elements that are processed alike where they begin.
pub(super) const PLAIN_FORMATTING: TagSet = FORMATTING.without(TagSet::of(&[Tag::A, Tag::Nobr]));
