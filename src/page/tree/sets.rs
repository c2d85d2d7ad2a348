//! Sets of elements that the rules of tree construction use.

use super::super::tag::{Tag::*, TagSet};

/// MathML text integration points.
pub(super) const MATHML_TEXT: TagSet = TagSet::of(&[Mi, Mo, Mn, Ms, Mtext]);
/// HTML integration points of SVG.
pub(super) const SVG_HTML: TagSet = TagSet::of(&[ForeignObject, Desc, Title]);

/// Elements without end tags that may be in a head.
pub(super) const METADATA_VOID: TagSet = TagSet::of(&[Base, Basefont, Bgsound, Link, Meta]);
/// Elements that are processed as in a head wherever they are.
pub(super) const METADATA: TagSet =
    METADATA_VOID.or(TagSet::of(&[Noframes, Script, Style, Template, Title]));

pub(super) const HEADINGS: TagSet = TagSet::of(&[H1, H2, H3, H4, H5, H6]);

/// Elements that close an open `p`.
pub(super) const BLOCKS: TagSet = TagSet::of(&[
    Address, Article, Aside, Blockquote, Center, Details, Dialog, Dir, Div, Dl, Fieldset,
    Figcaption, Figure, Footer, Header, Hgroup, Main, Menu, Nav, Ol, P, Search, Section, Summary,
    Ul,
]);
/// Elements whose end tags close what is open within them.
pub(super) const CLOSED_BY_NAME: TagSet = BLOCKS
    .without(TagSet::of(&[P]))
    .or(TagSet::of(&[Button, Dd, Dt, Listing, Pre, Select]));

pub(in super::super) const FORMATTING: TagSet = TagSet::of(&[
    A, B, Big, Code, Em, Font, I, Nobr, S, Small, Strike, Strong, Tt, U,
]);
/// Elements at whose start the list of formatting elements gets a marker.
pub(super) const MARKED: TagSet = TagSet::of(&[Applet, Marquee, Object]);
/// Elements without content, before which formatting elements are reconstructed.
pub(super) const VOID_INLINE: TagSet = TagSet::of(&[Area, Br, Embed, Img, Keygen, Wbr]);

pub(super) const TABLE_SECTIONS: TagSet = TagSet::of(&[Tbody, Tfoot, Thead]);
pub(super) const CELLS: TagSet = TagSet::of(&[Td, Th]);
/// Parts of a table, whose tags are ignored outside of one.
pub(super) const TABLE_PARTS: TagSet = TABLE_SECTIONS
    .or(CELLS)
    .or(TagSet::of(&[Caption, Col, Colgroup, Tr]));
/// Elements in which text is moved out of the table.
pub(super) const TABLE_STRUCTURE: TagSet = TABLE_SECTIONS.or(TagSet::of(&[Table, Tr]));

/// Elements up to which the stack is cleared before a part of a table.
pub(super) const TABLE_CONTEXT: TagSet = TagSet::of(&[Table, Template, Html]);
pub(super) const TABLE_BODY_CONTEXT: TagSet = TABLE_SECTIONS.or(TagSet::of(&[Template, Html]));
pub(super) const TABLE_ROW_CONTEXT: TagSet = TagSet::of(&[Tr, Template, Html]);

/// Elements at which a search for an open element ends (13.2.4.2, "has an element in scope").
pub(super) const SCOPE: TagSet = TagSet::of(&[
    Applet, Caption, Html, Table, Td, Th, Marquee, Object, Select, Template,
]);
pub(super) const LIST_ITEM_SCOPE: TagSet = SCOPE.or(TagSet::of(&[Ol, Ul]));
pub(super) const BUTTON_SCOPE: TagSet = SCOPE.or(TagSet::of(&[Button]));
pub(super) const TABLE_SCOPE: TagSet = TagSet::of(&[Html, Table, Template]);

/// Elements whose end tags are implied.
pub(super) const IMPLIED_END: TagSet =
    TagSet::of(&[Dd, Dt, Li, Optgroup, Option, P, Rb, Rp, Rt, Rtc]);
/// The same where a template ends.
pub(super) const IMPLIED_END_OF_ALL: TagSet = IMPLIED_END
    .or(TABLE_SECTIONS)
    .or(CELLS)
    .or(TagSet::of(&[Caption, Colgroup, Tr]));

/// HTML elements whose start tags end foreign content (13.2.6.5).
pub(super) const BREAKOUT: TagSet = TagSet::of(&[
    B, Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, H1, H2, H3, H4, H5, H6,
    Head, Hr, I, Img, Li, Listing, Menu, Meta, Nobr, Ol, P, Pre, Ruby, S, Small, Span, Strong,
    Strike, Sub, Sup, Table, Tt, U, Ul, Var,
]);

/// The HTML elements of the category "special".
pub(super) const SPECIAL: TagSet = BLOCKS
    .without(TagSet::of(&[Dialog]))
    .or(HEADINGS)
    .or(METADATA)
    .or(MARKED)
    .or(TABLE_PARTS)
    .or(TagSet::of(&[
        Area, Body, Br, Button, Dd, Dt, Embed, Form, Frame, Frameset, Head, Hr, Html, Iframe, Img,
        Input, Keygen, Li, Listing, Noembed, Noscript, Param, Plaintext, Pre, Select, Source,
        Table, Textarea, Track, Wbr, Xmp,
    ]));
