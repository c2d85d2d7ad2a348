//! The page on which a host of a publication is looked up in a browser: its files.
//!
//! `parser.wasm` is the parser of this crate, made of the package in `explorer/`, and `parquet.js`
//! reads Parquet files (hyparquet). Both are committed as they are made by `make explorer`: the
//! program has them without a second compiler and without npm.

/// The files of the page by their names.
pub const EXPLORER: &[(&str, &[u8])] = &[
    ("index.html", include_bytes!("index.html")),
    ("explorer.css", include_bytes!("explorer.css")),
    ("explorer.js", include_bytes!("explorer.js")),
    ("dataset.js", include_bytes!("dataset.js")),
    ("elements.js", include_bytes!("elements.js")),
    ("engine.js", include_bytes!("engine.js")),
    ("ranges.js", include_bytes!("ranges.js")),
    ("parser.js", include_bytes!("parser.js")),
    ("sql.js", include_bytes!("sql.js")),
    ("parquet.js", include_bytes!("parquet.js")),
    ("parser.wasm", include_bytes!("parser.wasm")),
    ("LICENSES.txt", include_bytes!("LICENSES.txt")),
];
