//! Tags in tables and templates (HTML Standard, 13.2.6.4.9 to 13.2.6.4.18).

use super::{
    CELLS, METADATA, Mode, StartTag, Step, TABLE_PARTS, TABLE_SECTIONS, Tag, TagSet, Tree,
    sets::{IMPLIED_END, TABLE_BODY_CONTEXT, TABLE_CONTEXT, TABLE_ROW_CONTEXT, TABLE_SCOPE},
};

/// Elements of a head that may be in a table.
const METADATA_IN_TABLE: TagSet = TagSet::of(&[Tag::Style, Tag::Script, Tag::Template]);
/// Elements whose end tags are ignored in a table.
const IGNORED_ENDS: TagSet = TABLE_PARTS.or(TagSet::of(&[Tag::Body, Tag::Html]));
/// Parts that end a section of a table where they begin.
const OUTSIDE_SECTION: TagSet =
    TABLE_SECTIONS.or(TagSet::of(&[Tag::Caption, Tag::Col, Tag::Colgroup]));
const SECTION_OR_ROW_END: TagSet = TABLE_SECTIONS.or(TagSet::of(&[Tag::Table, Tag::Tr]));

impl Tree {
    pub(super) fn start_in_table(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Caption => {
                self.formatting.mark();
                self.insert_in_table(TABLE_CONTEXT, token, Mode::InCaption);
            }
            Tag::Colgroup => self.insert_in_table(TABLE_CONTEXT, token, Mode::InColumnGroup),
            Tag::Col => {
                return self.imply_in_table(TABLE_CONTEXT, Tag::Colgroup, Mode::InColumnGroup);
            }
            tag if TABLE_SECTIONS.has(tag) => {
                self.insert_in_table(TABLE_CONTEXT, token, Mode::InTableBody);
            }
            Tag::Td | Tag::Th | Tag::Tr => {
                return self.imply_in_table(TABLE_CONTEXT, Tag::Tbody, Mode::InTableBody);
            }
            Tag::Table => {
                if self.stack.has_in(TABLE_SCOPE, Tag::Table) {
                    self.stack.pop_through(TagSet::of(&[Tag::Table]));
                    self.reset_mode();
                    return Step::Again;
                }
            }
            tag if METADATA_IN_TABLE.has(tag) => return self.start_in_head(token),
            Tag::Input if token.is_hidden => self.insert_void(),
            Tag::Form => {
                if self.form.is_none() && !self.stack.has(Tag::Template) {
                    self.insert_void();
                    self.form = Some(self.next_id());
                }
            }
            _ => return self.start_in_body(token),
        }
        Step::Done
    }

    /// Opens a part of a table.
    fn insert_in_table(&mut self, context: TagSet, token: &StartTag, mode: Mode) {
        self.stack.pop_to(context);
        self.insert(token);
        self.mode = mode;
    }

    /// Opens a part of a table that no tag begins, and processes the token again in it.
    fn imply_in_table(&mut self, context: TagSet, tag: Tag, mode: Mode) -> Step {
        self.stack.pop_to(context);
        let part = self.phantom(tag);
        self.stack.push(part);
        self.again_in(mode)
    }

    pub(super) fn end_in_table(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            Tag::Table => {
                if self.stack.has_in(TABLE_SCOPE, Tag::Table) {
                    self.stack.pop_through(TagSet::of(&[Tag::Table]));
                    self.reset_mode();
                }
                Step::Done
            }
            tag if IGNORED_ENDS.has(tag) => Step::Done,
            _ => self.end_in_body(tag, name),
        }
    }

    pub(super) fn start_in_caption(&mut self, token: &StartTag) -> Step {
        if TABLE_PARTS.has(token.tag) {
            self.leave_caption()
        } else {
            self.start_in_body(token)
        }
    }

    pub(super) fn end_in_caption(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            Tag::Caption => {
                self.leave_caption();
                Step::Done
            }
            Tag::Table => self.leave_caption(),
            tag if IGNORED_ENDS.has(tag) => Step::Done,
            _ => self.end_in_body(tag, name),
        }
    }

    fn leave_caption(&mut self) -> Step {
        if !self.stack.close_in(TABLE_SCOPE, Tag::Caption) {
            return Step::Done;
        }
        self.formatting.clear_to_marker();
        self.again_in(Mode::InTable)
    }

    pub(super) fn start_in_column_group(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Html => Step::Done,
            Tag::Col => {
                self.insert_void();
                Step::Done
            }
            Tag::Template => self.start_in_head(token),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn end_in_column_group(&mut self, tag: Tag) -> Step {
        match tag {
            Tag::Colgroup => {
                self.leave_column_group();
                Step::Done
            }
            Tag::Col => Step::Done,
            Tag::Template => self.end_in_head(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn start_in_table_body(&mut self, token: &StartTag) -> Step {
        match token.tag {
            Tag::Tr => {
                self.insert_in_table(TABLE_BODY_CONTEXT, token, Mode::InRow);
                Step::Done
            }
            tag if CELLS.has(tag) => self.imply_in_table(TABLE_BODY_CONTEXT, Tag::Tr, Mode::InRow),
            tag if OUTSIDE_SECTION.has(tag) => self.leave_section(),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_table_body(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            tag if TABLE_SECTIONS.has(tag) => {
                if self.stack.has_in(TABLE_SCOPE, tag) {
                    self.leave_section();
                }
                Step::Done
            }
            Tag::Table => self.leave_section(),
            _ => self.end_in_table(tag, name),
        }
    }

    fn leave_section(&mut self) -> Step {
        if !self.stack.has_any_in(TABLE_SCOPE, TABLE_SECTIONS) {
            return Step::Done;
        }
        self.stack.pop_to(TABLE_BODY_CONTEXT);
        self.leave(Mode::InTable)
    }

    pub(super) fn start_in_row(&mut self, token: &StartTag) -> Step {
        match token.tag {
            tag if CELLS.has(tag) => {
                self.insert_in_table(TABLE_ROW_CONTEXT, token, Mode::InCell);
                self.formatting.mark();
                Step::Done
            }
            tag if OUTSIDE_SECTION.has(tag) || tag == Tag::Tr => self.leave_row(),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_row(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            Tag::Tr => {
                self.leave_row();
                Step::Done
            }
            Tag::Table => self.leave_row(),
            tag if TABLE_SECTIONS.has(tag) && self.stack.has_in(TABLE_SCOPE, tag) => {
                self.leave_row()
            }
            _ => self.end_in_table(tag, name),
        }
    }

    fn leave_row(&mut self) -> Step {
        if !self.stack.has_in(TABLE_SCOPE, Tag::Tr) {
            return Step::Done;
        }
        self.stack.pop_to(TABLE_ROW_CONTEXT);
        self.leave(Mode::InTableBody)
    }

    pub(super) fn start_in_cell(&mut self, token: &StartTag) -> Step {
        if TABLE_PARTS.has(token.tag) {
            self.leave_cell()
        } else {
            self.start_in_body(token)
        }
    }

    pub(super) fn end_in_cell(&mut self, tag: Tag, name: u32) -> Step {
        match tag {
            tag if CELLS.has(tag) => {
                if self.stack.close_in(TABLE_SCOPE, tag) {
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            tag if SECTION_OR_ROW_END.has(tag) && self.stack.has_in(TABLE_SCOPE, tag) => {
                self.leave_cell()
            }
            tag if IGNORED_ENDS.has(tag) || tag == Tag::Table => Step::Done,
            _ => self.end_in_body(tag, name),
        }
    }

    fn leave_cell(&mut self) -> Step {
        if !self.stack.has_any_in(TABLE_SCOPE, CELLS) {
            return Step::Done;
        }
        self.stack.close_implied(IMPLIED_END, Tag::Other);
        self.stack.pop_through(CELLS);
        self.formatting.clear_to_marker();
        self.again_in(Mode::InRow)
    }

    pub(super) fn start_in_template(&mut self, token: &StartTag) -> Step {
        let mode = match token.tag {
            tag if METADATA.has(tag) => return self.start_in_head(token),
            Tag::Caption | Tag::Colgroup => Mode::InTable,
            tag if TABLE_SECTIONS.has(tag) => Mode::InTable,
            Tag::Col => Mode::InColumnGroup,
            Tag::Tr => Mode::InTableBody,
            tag if CELLS.has(tag) => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        self.again_in(mode)
    }
}
