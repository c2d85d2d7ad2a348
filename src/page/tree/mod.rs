//! Tree construction without a tree (HTML Standard, 13.2.6).
//!
//! Where an element is, and whether a tag makes one at all, depends on what is open when its tag
//! is met: a `meta` behind text is in the body, one in a `template` is in no document, an `a` in a
//! frameset is none. So the insertion modes, the stack of open elements, the list of active
//! formatting elements and the rules of foreign content are those of the standard; but an element
//! that is closed is forgotten, and text is looked at only for whether it is white space. Scripting
//! is disabled, as for crawlers that read elements in `noscript`.
//!
//! Nothing depends on where foster parenting inserts an element, as `head`, `noscript` and
//! `template` are never between a table and its parent.
//!
//! Memory and the time for a tag are bounded by [`MAX_DEPTH`](stack::MAX_DEPTH); deeper elements are not opened.

mod element;
mod end;
mod foreign;
mod formatting;
mod sets;
mod stack;
mod start;
mod table;

use super::{
    statement::Place,
    tag::{Tag, TagSet},
};
use element::{Element, Namespace};
use formatting::Formatting;
pub(super) use sets::FORMATTING;
use sets::{BUTTON_SCOPE, CELLS, HEADINGS, METADATA, TABLE_PARTS, TABLE_SECTIONS, TABLE_STRUCTURE};
use stack::Stack;

/// What a tokenizer must do after a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Text with character references up to the end tag.
    Rcdata,
    /// Text up to the end tag.
    Rawtext,
    /// A script up to the end tag.
    Script,
    /// Text up to the end of the page.
    Plaintext,
}

/// A start tag, with what the rules depend on of its attributes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StartTag {
    /// The name.
    pub tag: Tag,
    /// A hash of the name.
    pub name: u32,
    /// Whether it ends with `/>`.
    pub is_self_closing: bool,
    /// A hash of the attributes, of formatting elements only.
    pub attributes: u64,
    /// Whether an `input` has the type `hidden`.
    pub is_hidden: bool,
    /// Whether a `font` has an attribute that only HTML has.
    pub has_font_attribute: bool,
    /// Whether an `annotation-xml` has an encoding that makes its content HTML.
    pub holds_html: bool,
}

/// What became of a start tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inserted {
    /// Where the HTML element is; `None` if there is none, or none outside of templates. A frameset
    /// counts as the body.
    pub at: Option<Place>,
    /// How the text that follows is tokenized.
    pub text: Option<TextKind>,
    /// Whether all elements of the body so far were removed from the document, since a frameset
    /// takes its place.
    pub is_body_removed: bool,
}

/// Text that is not in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// White space only.
    Blank,
    /// At least one character that is not white space.
    Written,
    /// U+0000.
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// Whether a token was processed, or is to be processed again in the mode that is set now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Done,
    Again,
}

/// The state of tree construction.
#[derive(Debug)]
pub(super) struct Tree {
    stack: Stack,
    formatting: Formatting,
    mode: Mode,
    /// The mode in which an element of text began.
    mode_before_text: Mode,
    template_modes: Vec<Mode>,
    /// The numbers of the head and of the open form that is not in a template.
    head: Option<u32>,
    form: Option<u32>,
    /// Whether a frameset may still take the place of the body.
    is_frameset_ok: bool,
    is_quirks: bool,
    /// Whether a line end that follows is ignored.
    ignores_line_end: bool,
    last_id: u32,
    /// What became of the start tag that is processed.
    inserted: Inserted,
}

impl Tree {
    pub fn new() -> Tree {
        Tree {
            stack: Stack::new(),
            formatting: Formatting::default(),
            mode: Mode::Initial,
            mode_before_text: Mode::InBody,
            template_modes: Vec::new(),
            head: None,
            form: None,
            is_frameset_ok: true,
            is_quirks: false,
            ignores_line_end: false,
            last_id: 0,
            inserted: Inserted::default(),
        }
    }

    /// Prepares for the next page. Memory is reused.
    pub fn clear(&mut self) {
        self.stack.clear();
        self.formatting.clear();
        self.template_modes.clear();
        *self = Tree {
            stack: std::mem::replace(&mut self.stack, Stack::new()),
            formatting: std::mem::take(&mut self.formatting),
            template_modes: std::mem::take(&mut self.template_modes),
            ..Tree::new()
        };
    }

    /// Returns true if and only if elements were nested deeper than is recorded.
    pub fn is_too_deep(&self) -> bool {
        self.stack.is_too_deep
    }

    /// Returns true if and only if `<![CDATA[` begins a section here: in foreign content.
    pub fn is_foreign(&self) -> bool {
        self.stack
            .current()
            .is_some_and(|element| element.namespace != Namespace::Html)
    }

    /// Returns true if and only if text can decide where later elements are, which that of a script
    /// or title cannot.
    pub fn heeds_text(&self) -> bool {
        self.mode != Mode::Text
    }

    /// Returns true if more can depend on text than whether formatting elements are
    /// [opened again](Tree::reconstruct).
    pub fn heeds_space(&self) -> bool {
        self.is_frameset_ok
            || self.ignores_line_end
            || !matches!(self.mode, Mode::InBody | Mode::InCell | Mode::InCaption)
            || self.is_foreign()
    }

    /// Processes a doctype.
    pub fn doctype(&mut self, is_quirks: bool) {
        self.ignores_line_end = false;
        if self.mode == Mode::Initial {
            self.is_quirks = is_quirks;
            self.mode = Mode::BeforeHtml;
        }
    }

    /// Processes a comment, which only ends the line end that is ignored.
    pub fn comment(&mut self) {
        self.ignores_line_end = false;
    }

    /// Processes a start tag, and returns where its element is.
    pub fn start(&mut self, token: &StartTag) -> Inserted {
        self.ignores_line_end = false;
        self.inserted = Inserted::default();
        if self.is_start_foreign(token.tag) {
            self.start_foreign(token);
        } else {
            while self.start_in(self.mode, token) == Step::Again {}
        }
        self.inserted
    }

    /// Processes an end tag.
    pub fn end(&mut self, tag: Tag, name: u32) {
        self.ignores_line_end = false;
        if self.is_foreign() {
            self.end_foreign(tag, name);
        } else {
            while self.end_in(self.mode, tag, name) == Step::Again {}
        }
    }

    /// Processes text that is not in a tag, a comment or an element of text.
    ///
    /// It may be split anywhere, since what is done for a part is done for the whole.
    /// `is_line_end` says whether it is a line end and nothing else.
    pub fn text(&mut self, text: Text, is_line_end: bool) {
        let is_ignored = std::mem::take(&mut self.ignores_line_end) && is_line_end;
        if is_ignored {
            return;
        }
        if self.stack.current().is_some_and(Element::has_foreign_text) {
            self.is_frameset_ok &= text != Text::Written;
        } else {
            while self.text_in(self.mode, text) == Step::Again {}
        }
    }

    fn text_in(&mut self, mode: Mode, text: Text) -> Step {
        match mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead if text == Text::Blank => {
                Step::Done
            }
            Mode::Initial => {
                self.is_quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml => self.imply_html(),
            Mode::BeforeHead => self.imply_head(),
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead if text == Text::Blank => {
                Step::Done
            }
            Mode::InHead => self.leave(Mode::AfterHead),
            Mode::InHeadNoscript => self.leave(Mode::InHead),
            Mode::AfterHead => self.imply_body(),
            Mode::InColumnGroup if text == Text::Blank => Step::Done,
            Mode::InColumnGroup => self.leave_column_group(),
            Mode::InTable | Mode::InTableBody | Mode::InRow
                if text != Text::Written && self.stack.current_is_in(TABLE_STRUCTURE) =>
            {
                Step::Done
            }
            Mode::AfterBody | Mode::AfterAfterBody if text != Text::Blank => {
                self.again_in(Mode::InBody)
            }
            Mode::Text | Mode::InFrameset | Mode::AfterFrameset => Step::Done,
            Mode::AfterAfterFrameset if text != Text::Blank => Step::Done,
            _ if text == Text::Null => Step::Done,
            _ => {
                self.reconstruct();
                self.is_frameset_ok &= text != Text::Written;
                Step::Done
            }
        }
    }

    fn again_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Step::Again
    }

    /// Closes the innermost element, and processes the token again in `mode`.
    fn leave(&mut self, mode: Mode) -> Step {
        self.stack.pop();
        self.again_in(mode)
    }

    fn imply_html(&mut self) -> Step {
        let html = self.phantom(Tag::Html);
        self.stack.push(html);
        self.again_in(Mode::BeforeHead)
    }

    fn imply_head(&mut self) -> Step {
        let head = self.phantom(Tag::Head);
        self.head = Some(head.id);
        self.stack.push(head);
        self.again_in(Mode::InHead)
    }

    fn imply_body(&mut self) -> Step {
        let body = self.phantom(Tag::Body);
        self.stack.push(body);
        self.again_in(Mode::InBody)
    }

    fn leave_column_group(&mut self) -> Step {
        if self.stack.current_is(Tag::Colgroup) {
            self.leave(Mode::InTable)
        } else {
            Step::Done
        }
    }

    fn next_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    /// Returns an HTML element that no tag of the page begins.
    fn phantom(&mut self, tag: Tag) -> Element {
        Element {
            tag,
            namespace: Namespace::Html,
            name: 0,
            id: self.next_id(),
            attributes: 0,
            holds_html: false,
        }
    }

    /// Returns the element of a start tag.
    fn element(&mut self, token: &StartTag, namespace: Namespace) -> Element {
        Element {
            tag: token.tag,
            namespace,
            name: token.name,
            id: self.next_id(),
            attributes: token.attributes,
            holds_html: token.holds_html && namespace == Namespace::MathMl,
        }
    }

    /// Records where the HTML element of the start tag is inserted: into the current node.
    fn insert_void(&mut self) {
        self.inserted.at = if self.stack.has(Tag::Template) {
            None
        } else if self.stack.has(Tag::Noscript) {
            Some(Place::Noscript)
        } else if self.stack.has(Tag::Head) {
            Some(Place::Head)
        } else {
            Some(Place::Body)
        };
    }

    /// Inserts the HTML element of the start tag, and leaves it open.
    fn insert(&mut self, token: &StartTag) {
        self.insert_void();
        let element = self.element(token, Namespace::Html);
        self.stack.push(element);
    }

    /// Inserts the HTML element of the start tag, on which the meaning of what follows depends.
    /// Returns false where the limit forbids to leave it open.
    fn insert_decisive(&mut self, token: &StartTag) -> bool {
        self.insert_void();
        let element = self.element(token, Namespace::Html);
        self.stack.push_decisive(element)
    }

    /// Inserts an element whose content is text.
    fn insert_text(&mut self, token: &StartTag, kind: TextKind) {
        if self.insert_decisive(token) {
            self.mode_before_text = self.mode;
            self.mode = Mode::Text;
        }
        self.inserted.text = Some(kind);
    }

    /// Closes a `p` that is open where a block begins.
    fn close_p(&mut self) {
        self.stack.close_in(BUTTON_SCOPE, Tag::P);
    }

    /// Closes the innermost HTML element of this name, unless a special element is in it ("any
    /// other end tag").
    fn close_any(&mut self, tag: Tag, name: u32) {
        for index in (1..self.stack.len()).rev() {
            let Some(element) = self.stack.get(index) else {
                return;
            };
            if element.namespace == Namespace::Html && element.has_name(tag, name) {
                return self.stack.truncate(index);
            }
            if element.is_special() {
                return;
            }
        }
    }

    /// Sets the mode that the open elements ask for ("reset the insertion mode appropriately").
    fn reset_mode(&mut self) {
        self.mode = self.mode_of_stack();
    }

    fn mode_of_stack(&self) -> Mode {
        let html = self.stack.innermost_first();
        for element in html.filter(|element| element.namespace == Namespace::Html) {
            return match element.tag {
                tag if CELLS.has(tag) => Mode::InCell,
                tag if TABLE_SECTIONS.has(tag) => Mode::InTableBody,
                Tag::Tr => Mode::InRow,
                Tag::Caption => Mode::InCaption,
                Tag::Colgroup => Mode::InColumnGroup,
                Tag::Table => Mode::InTable,
                Tag::Template => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                Tag::Head => Mode::InHead,
                Tag::Body => Mode::InBody,
                Tag::Frameset => Mode::InFrameset,
                Tag::Html if self.head.is_none() => Mode::BeforeHead,
                Tag::Html => Mode::AfterHead,
                _ => continue,
            };
        }
        Mode::InBody
    }
}
