//! Lists the queries of `queries/`, so that to add one is to add a file.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=queries");
    let variable = |name| env::var(name).expect("cargo sets it");
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join("queries");
    let entries = fs::read_dir(&folder).expect("the folder queries is part of the package");
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|file| file.strip_suffix(".sql").map(str::to_owned))
        .filter(|name| !name.ends_with("views"))
        .collect();
    names.sort();
    let queries = names.iter().map(|name| {
        let path = folder.join(format!("{name}.sql"));
        format!("StoredQuery {{ name: {name:?}, sql: include_str!({path:?}) }},\n")
    });
    let list = format!("&[\n{}]\n", queries.collect::<String>());
    let file = Path::new(&variable("OUT_DIR")).join("queries.rs");
    fs::write(file, list).expect("the folder for what is generated can be written");
}
