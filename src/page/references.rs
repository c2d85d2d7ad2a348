//! What needs more of a tokenizer than where tokens end: character references and doctypes.
//!
//! html5gum reads a single token here, or the text between two.

use std::convert::Infallible;

use html5gum::{
    Span, Tokenizer,
    emitters::callback::{CallbackEmitter, CallbackEvent},
};

use super::{attributes::Attributes, quirks::Doctype};

fn tokenize(text: &[u8], mut each: impl FnMut(CallbackEvent<'_>)) {
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        each(event);
        None::<Infallible>
    });
    let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
}

/// Reads the attributes of the start tag `tag`.
pub(super) fn attributes(tag: &[u8], attributes: &mut Attributes) {
    // An empty value is not reported.
    let mut last = None;
    tokenize(tag, |event| match event {
        CallbackEvent::AttributeName { name } => {
            if let Some(last) = last.replace(name.to_vec()) {
                attributes.push(&last, b"");
            }
        }
        CallbackEvent::AttributeValue { value } => {
            if let Some(name) = last.take() {
                attributes.push(&name, value);
            }
        }
        CallbackEvent::CloseStartTag { .. } => {
            if let Some(name) = last.take() {
                attributes.push(&name, b"");
            }
        }
        _ => {}
    });
}

/// Decodes the references of text without tags.
pub(super) fn text(text: &[u8], mut each: impl FnMut(&[u8])) {
    tokenize(text, |event| {
        if let CallbackEvent::String { value } = event {
            each(value);
        }
    });
}

/// Returns true if and only if the doctype `declaration` puts the page into quirks mode.
pub(super) fn is_quirks(declaration: &[u8]) -> bool {
    let mut is_quirks = false;
    tokenize(declaration, |event| {
        if let CallbackEvent::Doctype {
            name,
            public_identifier,
            system_identifier,
            force_quirks,
        } = event
        {
            let doctype = Doctype {
                name,
                public: public_identifier,
                system: system_identifier,
                is_forced: force_quirks,
            };
            is_quirks = doctype.is_quirks();
        }
    });
    is_quirks
}
