//! Start tags outside of tables and foreign content.

use super::{
    HEADINGS, METADATA, Mode, Namespace, StartTag, Step, TABLE_PARTS, Tag, TagSet, TextKind, Tree,
    formatting::PLAIN_FORMATTING,
    sets::{BLOCKS, IMPLIED_END, MARKED, METADATA_VOID, SCOPE, VOID_INLINE},
};

/// Elements of a head in a `noscript` of it.
const NOSCRIPT_CONTENT: TagSet = TagSet::of(&[
    Tag::Basefont,
    Tag::Bgsound,
    Tag::Link,
    Tag::Meta,
    Tag::Noframes,
    Tag::Style,
]);
const HEAD_OR_NOSCRIPT: TagSet = TagSet::of(&[Tag::Head, Tag::Noscript]);
/// Special elements in which a list item is found nevertheless.
const NOT_AROUND_ITEMS: TagSet = TagSet::of(&[Tag::Address, Tag::Div, Tag::P]);
const ITEMS_OF_DL: TagSet = TagSet::of(&[Tag::Dd, Tag::Dt]);

impl Tree {
    /// Processes a start tag by the rules of `mode`.
    pub(super) fn start_in(&mut self, mode: Mode, token: &StartTag) -> Step {
        match mode {
            Mode::Initial => {
                self.is_quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml if token.tag == Tag::Html => {
                let html = self.element(token, Namespace::Html);
                self.stack.push(html);
                self.mode = Mode::BeforeHead;
                Step::Done
            }
            Mode::BeforeHtml => self.imply_html(),
            Mode::BeforeHead => match token.tag {
                Tag::Html => Step::Done,
                Tag::Head => {
                    self.imply_head();
                    Step::Done
                }
                _ => self.imply_head(),
            },
            Mode::InHead => self.start_in_head(token),
            Mode::InHeadNoscript => match token.tag {
                Tag::Html => Step::Done,
                tag if NOSCRIPT_CONTENT.has(tag) => self.start_in_head(token),
                tag if HEAD_OR_NOSCRIPT.has(tag) => Step::Done,
                _ => self.leave(Mode::InHead),
            },
            Mode::AfterHead => self.start_after_head(token),
            Mode::InBody => self.start_in_body(token),
            Mode::InTable => self.start_in_table(token),
            Mode::InCaption => self.start_in_caption(token),
            Mode::InColumnGroup => self.start_in_column_group(token),
            Mode::InTableBody => self.start_in_table_body(token),
            Mode::InRow => self.start_in_row(token),
            Mode::InCell => self.start_in_cell(token),
            Mode::InTemplate => self.start_in_template(token),
            Mode::AfterBody | Mode::AfterAfterBody => match token.tag {
                Tag::Html => Step::Done,
                _ => self.again_in(Mode::InBody),
            },
            Mode::InFrameset => match token.tag {
                Tag::Frameset => {
                    self.insert(token);
                    Step::Done
                }
                Tag::Noframes => self.start_in_head(token),
                _ => Step::Done,
            },
            Mode::AfterFrameset | Mode::AfterAfterFrameset => match token.tag {
                Tag::Noframes => self.start_in_head(token),
                _ => Step::Done,
            },
            // No start tag is a token within an element of text.
            Mode::Text => Step::Done,
        }
    }

    pub(super) fn start_in_head(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Html | Tag::Head => {}
            tag if METADATA_VOID.has(tag) => self.insert_void(),
            Tag::Title => self.insert_text(token, TextKind::Rcdata),
            Tag::Noframes | Tag::Style => self.insert_text(token, TextKind::Rawtext),
            Tag::Script => self.insert_text(token, TextKind::Script),
            Tag::Noscript => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
            }
            Tag::Template => {
                if self.insert_decisive(token) {
                    self.formatting.mark();
                    self.is_frameset_ok = false;
                    self.mode = Mode::InTemplate;
                    self.template_modes.push(Mode::InTemplate);
                }
            }
            _ => return self.leave(Mode::AfterHead),
        }
        Step::Done
    }

    fn start_after_head(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Html | Tag::Head => Step::Done,
            Tag::Body => {
                self.insert(token);
                self.is_frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            Tag::Frameset => {
                self.insert(token);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            tag if METADATA.has(tag) => {
                let mut head = self.phantom(Tag::Head);
                head.id = self.head.unwrap_or(head.id);
                self.stack.push(head);
                let step = self.start_in_head(token);
                if let Some(index) = self.stack.position(head.id) {
                    self.stack.remove(index);
                }
                step
            }
            _ => self.imply_body(),
        }
    }

    pub(super) fn start_in_body(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Html => {}
            tag if METADATA.has(tag) => return self.start_in_head(token),
            Tag::Body => {
                if self.has_body() && !self.stack.has(Tag::Template) {
                    self.is_frameset_ok = false;
                }
            }
            Tag::Frameset => self.start_frameset(token),
            tag if BLOCKS.has(tag) => self.insert_block(token),
            tag if HEADINGS.has(tag) => {
                self.close_p();
                if self.stack.current_is_in(HEADINGS) {
                    self.stack.pop();
                }
                self.insert(token);
            }
            Tag::Pre | Tag::Listing => {
                self.insert_block(token);
                self.ignores_line_end = true;
                self.is_frameset_ok = false;
            }
            Tag::Form => self.start_form(token),
            Tag::Li => self.start_item(token, TagSet::of(&[Tag::Li])),
            Tag::Dd | Tag::Dt => self.start_item(token, ITEMS_OF_DL),
            Tag::Plaintext => {
                self.insert_block(token);
                self.inserted.text = Some(TextKind::Plaintext);
            }
            Tag::Button => {
                self.stack.close_in(SCOPE, Tag::Button);
                self.reconstruct();
                self.insert(token);
                self.is_frameset_ok = false;
            }
            Tag::A => {
                self.close_open_link();
                self.insert_formatting(token);
            }
            tag if PLAIN_FORMATTING.has(tag) => self.insert_formatting(token),
            Tag::Nobr => {
                self.reconstruct();
                if self.stack.has_in(SCOPE, Tag::Nobr) {
                    self.adopt(Tag::Nobr, token.name);
                }
                self.insert_formatting(token);
            }
            tag if MARKED.has(tag) => {
                self.reconstruct();
                self.insert(token);
                self.formatting.mark();
                self.is_frameset_ok = false;
            }
            Tag::Table => {
                if !self.is_quirks {
                    self.close_p();
                }
                self.insert(token);
                self.is_frameset_ok = false;
                self.mode = Mode::InTable;
            }
            tag if VOID_INLINE.has(tag) || tag == Tag::Image => {
                self.reconstruct();
                self.insert_void();
                self.is_frameset_ok = false;
            }
            Tag::Input => {
                self.close_select();
                self.reconstruct();
                self.insert_void();
                self.is_frameset_ok &= token.is_hidden;
            }
            Tag::Param | Tag::Source | Tag::Track => self.insert_void(),
            Tag::Hr => {
                self.close_p();
                if self.stack.has_in(SCOPE, Tag::Select) {
                    self.stack.close_implied(IMPLIED_END, Tag::Other);
                }
                self.insert_void();
                self.is_frameset_ok = false;
            }
            Tag::Textarea => {
                self.insert_text(token, TextKind::Rcdata);
                self.is_frameset_ok = false;
            }
            Tag::Xmp => {
                self.close_p();
                self.reconstruct();
                self.is_frameset_ok = false;
                self.insert_text(token, TextKind::Rawtext);
            }
            Tag::Iframe => {
                self.is_frameset_ok = false;
                self.insert_text(token, TextKind::Rawtext);
            }
            Tag::Noembed => self.insert_text(token, TextKind::Rawtext),
            Tag::Select => {
                if !self.close_select() {
                    self.reconstruct();
                    self.insert(token);
                    self.is_frameset_ok = false;
                }
            }
            Tag::Option | Tag::Optgroup => {
                if self.stack.has_in(SCOPE, Tag::Select) {
                    let except = match token.tag {
                        Tag::Option => Tag::Optgroup,
                        _ => Tag::Other,
                    };
                    self.stack.close_implied(IMPLIED_END, except);
                } else if self.stack.current_is(Tag::Option) {
                    self.stack.pop();
                }
                self.reconstruct();
                self.insert(token);
            }
            Tag::Rb | Tag::Rtc | Tag::Rp | Tag::Rt => {
                if self.stack.has_in(SCOPE, Tag::Ruby) {
                    let except = match token.tag {
                        Tag::Rp | Tag::Rt => Tag::Rtc,
                        _ => Tag::Other,
                    };
                    self.stack.close_implied(IMPLIED_END, except);
                }
                self.insert(token);
            }
            Tag::Math => {
                self.reconstruct();
                self.insert_foreign(token, Namespace::MathMl);
            }
            Tag::Svg => {
                self.reconstruct();
                self.insert_foreign(token, Namespace::Svg);
            }
            tag if TABLE_PARTS.has(tag) || matches!(tag, Tag::Frame | Tag::Head) => {}
            // What it contains is known by it.
            Tag::Noscript => {
                self.reconstruct();
                self.insert_decisive(token);
            }
            _ => {
                self.reconstruct();
                self.insert(token);
            }
        }
        Step::Done
    }

    fn insert_block(&mut self, token: &StartTag) {
        self.close_p();
        self.insert(token);
    }

    fn insert_formatting(&mut self, token: &StartTag) {
        self.reconstruct();
        self.insert_void();
        let element = self.element(token, Namespace::Html);
        self.push_formatting(element);
    }

    /// Returns true if and only if the body is open.
    pub(in super::super) fn has_body(&self) -> bool {
        self.stack
            .get(1)
            .is_some_and(|element| element.is(Tag::Body))
    }

    fn start_frameset(&mut self, token: &StartTag) {
        if self.is_frameset_ok && self.has_body() {
            self.stack.truncate(1);
            self.insert(token);
            self.inserted.is_body_removed = true;
            self.mode = Mode::InFrameset;
        }
    }

    fn start_form(&mut self, token: &StartTag) {
        let is_in_template = self.stack.has(Tag::Template);
        if self.form.is_some() && !is_in_template {
            return;
        }
        self.insert_block(token);
        if !is_in_template {
            self.form = self.stack.current().map(|element| element.id);
        }
    }

    /// Inserts an item of a list, closing the one before it.
    fn start_item(&mut self, token: &StartTag, items: TagSet) {
        self.is_frameset_ok = false;
        let end = self.stack.innermost_first().find(|element| {
            element.is_in(items) || element.is_special() && !element.is_in(NOT_AROUND_ITEMS)
        });
        let open = end
            .filter(|element| element.is_in(items))
            .map(|open| open.tag);
        if let Some(tag) = open {
            self.stack.close(tag);
        }
        self.insert_block(token);
    }

    /// Closes a `select` that is open, and returns true if and only if one was.
    fn close_select(&mut self) -> bool {
        let is_open = self.stack.has_in(SCOPE, Tag::Select);
        if is_open {
            self.stack.pop_through(TagSet::of(&[Tag::Select]));
        }
        is_open
    }
}
