//! The stack of open elements (HTML Standard, 13.2.4.2).

use super::{
    super::tag::{Tag, TagSet},
    element::{Element, Namespace},
    sets::IMPLIED_END,
};

/// Open elements that are recorded, as in Blink and WebKit. Deeper ones are not opened: a page
/// whose elements nest deeper is flagged.
pub(super) const MAX_DEPTH: usize = 512;
/// Open elements with those that decide what later tags are: templates, and elements whose
/// content is text.
const MAX_DEPTH_OF_ALL: usize = 2 * MAX_DEPTH;

/// The open elements, the outermost first.
#[derive(Debug)]
pub(super) struct Stack {
    elements: Vec<Element>,
    /// For each tag, how many HTML elements of that name are open, since most searches are for
    /// elements that are not.
    open: [u16; 128],
    /// Whether an element was not opened because of the limit.
    pub is_too_deep: bool,
}

impl Stack {
    pub fn new() -> Stack {
        Stack {
            elements: Vec::new(),
            open: [0; 128],
            is_too_deep: false,
        }
    }

    /// Closes all elements, for the next page.
    pub fn clear(&mut self) {
        self.elements.clear();
        self.open = [0; 128];
        self.is_too_deep = false;
    }

    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns the innermost element.
    pub fn current(&self) -> Option<&Element> {
        self.elements.last()
    }

    /// Returns true if and only if the innermost element is the HTML element `tag`.
    pub fn current_is(&self, tag: Tag) -> bool {
        self.current().is_some_and(|element| element.is(tag))
    }

    /// Returns true if and only if the innermost element is an HTML element of `set`.
    pub fn current_is_in(&self, set: TagSet) -> bool {
        self.current().is_some_and(|element| element.is_in(set))
    }

    pub fn get(&self, index: usize) -> Option<&Element> {
        self.elements.get(index)
    }

    /// Returns the elements, the innermost first.
    pub fn innermost_first(&self) -> impl Iterator<Item = &Element> {
        self.elements.iter().rev()
    }

    /// Returns true if and only if an HTML element `tag` is open.
    pub fn has(&self, tag: Tag) -> bool {
        self.open[tag as usize] > 0
    }

    /// Returns the index of the element `id`.
    pub fn position(&self, id: u32) -> Option<usize> {
        self.elements.iter().rposition(|element| element.id == id)
    }

    /// Opens an element, and returns false where the limit forbids it.
    pub fn push(&mut self, element: Element) -> bool {
        if self.elements.len() >= MAX_DEPTH {
            self.is_too_deep = true;
            return false;
        }
        self.count(&element, true);
        self.elements.push(element);
        true
    }

    /// Opens an element on which the meaning of what follows depends; see [`push`](Stack::push).
    pub fn push_decisive(&mut self, element: Element) -> bool {
        if self.elements.len() >= MAX_DEPTH_OF_ALL {
            self.is_too_deep = true;
            return false;
        }
        self.count(&element, true);
        self.elements.push(element);
        true
    }

    /// Closes the innermost element. The outermost, `html`, stays open until the page ends.
    pub fn pop(&mut self) {
        self.truncate(self.elements.len().saturating_sub(1));
    }

    /// Closes all elements from `index` on, but never the outermost.
    pub fn truncate(&mut self, index: usize) {
        while self.elements.len() > index.max(1) {
            if let Some(element) = self.elements.pop() {
                self.count(&element, false);
            }
        }
    }

    /// Removes the element at `index` and leaves those in it open.
    pub fn remove(&mut self, index: usize) {
        let element = self.elements.remove(index);
        self.count(&element, false);
    }

    /// Puts another element of the same name in the place of the one at `index`.
    pub fn replace(&mut self, index: usize, element: Element) {
        self.elements[index] = element;
    }

    /// Opens an element at `index`, around those that are in it from there on.
    pub fn insert(&mut self, index: usize, element: Element) {
        self.count(&element, true);
        self.elements.insert(index, element);
    }

    fn count(&mut self, element: &Element, is_opened: bool) {
        if element.namespace == Namespace::Html {
            let n_open = &mut self.open[element.tag as usize];
            *n_open = if is_opened {
                n_open.saturating_add(1)
            } else {
                n_open.saturating_sub(1)
            };
        }
    }

    /// Returns true if and only if an HTML element `tag` is in `scope`.
    pub fn has_in(&self, scope: TagSet, tag: Tag) -> bool {
        self.has(tag) && self.finds_in(scope, |element| element.is(tag))
    }

    /// Returns true if and only if an HTML element of `set` is in `scope`.
    pub fn has_any_in(&self, scope: TagSet, set: TagSet) -> bool {
        self.finds_in(scope, |element| element.is_in(set))
    }

    /// Returns true if and only if the element `id` is in `scope`.
    pub fn has_id_in(&self, scope: TagSet, id: u32) -> bool {
        self.finds_in(scope, |element| element.id == id)
    }

    fn finds_in(&self, scope: TagSet, is_found: impl Fn(&Element) -> bool) -> bool {
        for element in self.innermost_first() {
            if is_found(element) {
                return true;
            }
            if element.ends(scope) {
                return false;
            }
        }
        false
    }

    /// Closes elements up to and including the innermost HTML element of `set`.
    pub fn pop_through(&mut self, set: TagSet) {
        let index = self.elements.iter().rposition(|element| element.is_in(set));
        self.truncate(index.unwrap_or(0));
    }

    /// Closes elements up to the innermost HTML element of `set`, which stays open.
    pub fn pop_to(&mut self, set: TagSet) {
        let index = self.elements.iter().rposition(|element| element.is_in(set));
        self.truncate(index.map_or(0, |index| index + 1));
    }

    /// Closes the elements of `set` that are innermost ("generate implied end tags"), but for
    /// `except`.
    pub fn close_implied(&mut self, set: TagSet, except: Tag) {
        while self
            .current()
            .is_some_and(|element| element.is_in(set) && element.tag != except)
            && self.len() > 1
        {
            self.pop();
        }
    }

    /// Closes the innermost HTML element `tag` with what is in it.
    pub fn close(&mut self, tag: Tag) {
        self.close_implied(IMPLIED_END, tag);
        self.pop_through(TagSet::of(&[tag]));
    }

    /// Closes the innermost HTML element `tag` with what is in it, and returns false where none is
    /// in `scope`.
    pub fn close_in(&mut self, scope: TagSet, tag: Tag) -> bool {
        let is_open = self.has_in(scope, tag);
        if is_open {
            self.close(tag);
        }
        is_open
    }
}
