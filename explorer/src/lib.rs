//! The parser, and the charts, of `robocensus` in the browser.
//!
//! They are two modules of WebAssembly, made with the features `parser` and `charts`; a page loads
//! the second only where SQL was run. It writes bytes into the buffer of [`reserve`], calls one of
//! their functions, and finds the answer, JSON, in the same buffer: as many bytes as the function
//! returns, from [`buffer`] on.

#[cfg(feature = "charts")]
pub mod charts;
#[cfg(feature = "parser")]
pub mod parser;

use std::cell::RefCell;

use serde_json::Value;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes the buffer as long as the bytes of the next call, and returns where they go.
// The name is how the page finds a function; this module has no other code that Rust calls unsafe.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(len, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns where the answer of the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

fn answer(ask: impl FnOnce(Vec<u8>) -> Value) -> usize {
    let asked = BUFFER.take();
    let text = ask(asked).to_string().into_bytes();
    let len = text.len();
    BUFFER.set(text);
    len
}
