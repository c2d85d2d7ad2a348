//! The page on which a host of a publication is looked up in a browser: its files.
//!
//! `parser.wasm` is the parser of this crate and `charts.wasm` its charts, both made of the package
//! in `explorer/`, and `parquet.js` reads Parquet files (hyparquet). They are committed as
//! `make explorer` makes them: the program has them without a second compiler and without npm.

/// The files of the page by their names.
pub const EXPLORER: &[(&str, &[u8])] = &[
    ("index.html", include_bytes!("index.html")),
    ("explorer.css", include_bytes!("explorer.css")),
    ("explorer.js", include_bytes!("explorer.js")),
    ("dataset.js", include_bytes!("dataset.js")),
    ("elements.js", include_bytes!("elements.js")),
    ("engine.js", include_bytes!("engine.js")),
    ("ranges.js", include_bytes!("ranges.js")),
    ("wasm.js", include_bytes!("wasm.js")),
    ("sql.js", include_bytes!("sql.js")),
    ("parquet.js", include_bytes!("parquet.js")),
    ("parser.wasm", include_bytes!("parser.wasm")),
    ("charts.wasm", include_bytes!("charts.wasm")),
    ("LICENSES.txt", include_bytes!("LICENSES.txt")),
];
