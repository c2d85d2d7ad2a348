//! End tags outside of tables and foreign content.

use super::{
    HEADINGS, Mode, Step, Tag, TagSet, Tree,
    sets::{
        CLOSED_BY_NAME, FORMATTING, IMPLIED_END, IMPLIED_END_OF_ALL, LIST_ITEM_SCOPE, MARKED, SCOPE,
    },
};

/// End tags that imply what should be open at them.
const IMPLYING: TagSet = TagSet::of(&[Tag::Head, Tag::Body, Tag::Html, Tag::Br]);

impl Tree {
    /// Processes an end tag by the rules of `mode`.
    pub(super) fn end_in(&mut self, mode: Mode, tag: Tag, name: u32) -> Step {
        match mode {
            Mode::Initial => {
                self.is_quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml if IMPLYING.has(tag) => self.imply_html(),
            Mode::BeforeHead if IMPLYING.has(tag) => self.imply_head(),
            Mode::BeforeHtml | Mode::BeforeHead => Step::Done,
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => match tag {
                Tag::Noscript => {
                    self.stack.pop();
                    self.mode = Mode::InHead;
                    Step::Done
                }
                Tag::Br => self.leave(Mode::InHead),
                _ => Step::Done,
            },
            Mode::AfterHead => match tag {
                Tag::Template => self.end_in_head(tag),
                Tag::Body | Tag::Html | Tag::Br => self.imply_body(),
                _ => Step::Done,
            },
            Mode::InBody => self.end_in_body(tag, name),
            Mode::Text => {
                self.stack.pop();
                self.mode = self.mode_before_text;
                Step::Done
            }
            Mode::InTable => self.end_in_table(tag, name),
            Mode::InCaption => self.end_in_caption(tag, name),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InTableBody => self.end_in_table_body(tag, name),
            Mode::InRow => self.end_in_row(tag, name),
            Mode::InCell => self.end_in_cell(tag, name),
            Mode::InTemplate => match tag {
                Tag::Template => self.end_in_head(tag),
                _ => Step::Done,
            },
            Mode::AfterBody if tag == Tag::Html => {
                self.mode = Mode::AfterAfterBody;
                Step::Done
            }
            Mode::AfterBody | Mode::AfterAfterBody => self.again_in(Mode::InBody),
            Mode::InFrameset => {
                if tag == Tag::Frameset && self.stack.len() > 1 {
                    self.stack.pop();
                    if !self.stack.current_is(Tag::Frameset) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
                Step::Done
            }
            Mode::AfterFrameset => {
                if tag == Tag::Html {
                    self.mode = Mode::AfterAfterFrameset;
                }
                Step::Done
            }
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    pub(super) fn end_in_head(&mut self, tag: Tag) -> Step {
        match tag {
            Tag::Head => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
                Step::Done
            }
            Tag::Body | Tag::Html | Tag::Br => self.leave(Mode::AfterHead),
            Tag::Template if self.stack.has(Tag::Template) => {
                self.stack.close_implied(IMPLIED_END_OF_ALL, Tag::Other);
                self.stack.pop_through(TagSet::of(&[Tag::Template]));
                self.formatting.clear_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                Step::Done
            }
            _ => Step::Done,
        }
    }

    pub(super) fn end_in_body(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            Tag::Template => return self.end_in_head(tag),
            Tag::Body | Tag::Html => {
                if self.stack.has_in(SCOPE, Tag::Body) {
                    self.mode = Mode::AfterBody;
                    if tag == Tag::Html {
                        return Step::Again;
                    }
                }
            }
            tag if CLOSED_BY_NAME.has(tag) => {
                self.stack.close_in(SCOPE, tag);
            }
            Tag::Form => self.end_form(),
            Tag::P => {
                // One that is not open is opened and closed, which leaves nothing behind.
                self.close_p();
            }
            Tag::Li => {
                self.stack.close_in(LIST_ITEM_SCOPE, Tag::Li);
            }
            tag if HEADINGS.has(tag) => {
                if self.stack.has_any_in(SCOPE, HEADINGS) {
                    self.stack.close_implied(IMPLIED_END, Tag::Other);
                    self.stack.pop_through(HEADINGS);
                }
            }
            tag if FORMATTING.has(tag) => self.adopt(tag, name),
            tag if MARKED.has(tag) => {
                if self.stack.close_in(SCOPE, tag) {
                    self.formatting.clear_to_marker();
                }
            }
            Tag::Br => {
                self.reconstruct();
                self.is_frameset_ok = false;
            }
            _ => self.close_any(tag, name),
        }
        Step::Done
    }

    fn end_form(&mut self) {
        if self.stack.has(Tag::Template) {
            self.stack.close_in(SCOPE, Tag::Form);
            return;
        }
        let Some(form) = self.form.take() else {
            return;
        };
        if self.stack.has_id_in(SCOPE, form) {
            self.stack.close_implied(IMPLIED_END, Tag::Other);
            if let Some(index) = self.stack.position(form) {
                self.stack.remove(index);
            }
        }
    }
}
