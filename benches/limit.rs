//! The lower bound of reading: inflates archives with libdeflate, one call for each member.
//!
//! Each record of the archives is one gzip member. `limit index FOLDER ARCHIVE...` lists the
//! lengths of the members, which requires a reader; `limit inflate FOLDER ARCHIVE...` then only
//! inflates, so the time of its process is that of libdeflate and of reading the files. Both print
//! the number of bytes inflated.

use std::{
    error::Error,
    fs::{self, File},
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use libdeflater::Decompressor;
use robocensus::archive::warc::{Limits, Reader};

/// Bytes of a file that one system call reads.
const READ_BYTES: usize = 256 * 1024;
const USAGE: &str = "usage: limit index|inflate FOLDER ARCHIVE...";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [command, folder, archives @ ..] = words.as_slice() else {
        return Err(USAGE.into());
    };
    let work = match command.to_str() {
        Some("index") => index,
        Some("inflate") => inflate,
        _ => return Err(USAGE.into()),
    };
    let mut inflated = 0;
    for archive in archives {
        inflated += work(archive, &list_path(folder, archive)?)
            .map_err(|e| format!("{}: {e}", archive.display()))?;
    }
    println!("{inflated}");
    Ok(())
}

/// Returns the path of the list of an archive's members: pairs of little-endian numbers of 32 bits,
/// the lengths of a member compressed and inflated.
fn list_path(folder: &Path, archive: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let name = archive.file_name().ok_or("expected the path of a file")?;
    Ok(folder.join(name).with_extension("members"))
}

/// Lists the members of an archive and returns their inflated bytes.
fn index(archive: &Path, list: &Path) -> Result<u64, Box<dyn Error>> {
    let mut file = BufReader::with_capacity(READ_BYTES, File::open(archive)?);
    let mut reader = Reader::new(Limits::default());
    let mut members = Vec::new();
    let mut before = 0;
    let mut end = 0;
    while let Some(record) = reader.read_record(&mut file) {
        let length = record.length.ok_or("expected a member for each record")?;
        if record.offset != end {
            return Err(format!("expected a member at offset {end}, but found none").into());
        }
        end += length;
        let inflated = reader.counts().bytes_inflated - before;
        before += inflated;
        for number in [length, inflated] {
            members.extend(u32::try_from(number)?.to_le_bytes());
        }
    }
    fs::write(list, members)?;
    Ok(before)
}

/// Inflates the listed members of an archive and returns their bytes.
fn inflate(archive: &Path, list: &Path) -> Result<u64, Box<dyn Error>> {
    let mut file = BufReader::with_capacity(READ_BYTES, File::open(archive)?);
    let mut decompressor = Decompressor::new();
    let (mut member, mut bytes) = (Vec::new(), Vec::new());
    let mut sum = 0;
    for pair in fs::read(list)?.as_chunks::<8>().0 {
        let [length, inflated] = *pair.as_chunks::<4>().0 else {
            unreachable!("eight bytes are two numbers of four");
        };
        member.resize(u32::from_le_bytes(length) as usize, 0);
        file.read_exact(&mut member)?;
        let size = u32::from_le_bytes(inflated) as usize;
        if bytes.len() < size {
            bytes.resize(size, 0);
        }
        sum += decompressor.gzip_decompress(&member, &mut bytes)? as u64;
    }
    Ok(sum)
}
