//! The pages of a column chunk of names in memory, compressed and with their headers, and the
//! metadata of the chunk for a footer.

use std::{
    collections::VecDeque,
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use parquet::{
    basic::{Compression, Encoding, EncodingMask, PageType, ZstdLevel},
    bloom_filter::Sbbf,
    column::{
        page::{CompressedPage, Page, PageWriteSpec, PageWriter},
        writer::ColumnCloseResult,
    },
    errors::{ParquetError, Result},
    file::{
        metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats},
        reader::{ChunkReader, Length},
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use super::ColumnChunk;

/// Level of compression: the fastest regular one, since dictionaries and runs have removed most
/// repetitions before it.
const ZSTD_LEVEL: i32 = 1;

/// Bytes of a page header without statistics, at most.
const HEADER_BYTES: usize = 64;

/// Returns the compression of every page.
pub(in crate::dataset::sink) fn compression() -> Result<Compression> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
}

/// A compressor with its output buffer, which all columns of the encoders of a thread share.
#[derive(Clone, Default)]
pub(in crate::dataset::sink) struct SharedCompressor(Arc<Mutex<PageCompressor>>);

#[derive(Default)]
struct PageCompressor {
    compressor: Option<zstd::bulk::Compressor<'static>>,
    out: Vec<u8>,
}

impl SharedCompressor {
    /// Returns the body of a page, compressed.
    pub(super) fn compress(&self, body: &[u8]) -> Result<Bytes> {
        let PageCompressor { compressor, out } = &mut *self.lock();
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => {
                let new = zstd::bulk::Compressor::new(ZSTD_LEVEL).map_err(external)?;
                compressor.insert(new)
            }
        };
        out.clear();
        out.reserve_exact(zstd::zstd_safe::compress_bound(body.len()));
        compressor.compress_to_buffer(body, out).map_err(external)?;
        Ok(Bytes::copy_from_slice(out))
    }

    fn lock(&self) -> MutexGuard<'_, PageCompressor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn external(error: io::Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// The dictionary of a chunk, `PLAIN`.
pub(super) struct DictionaryPage<'a> {
    pub(super) body: &'a [u8],
    pub(super) values: usize,
}

/// The data pages of a chunk that is being written.
pub(super) struct ChunkPages {
    column: ColumnDescPtr,
    /// Each page with its header, in a vector of its own: one vector of all would be copied
    /// whenever it grows, and be up to half empty.
    data: Vec<Vec<u8>>,
    bytes: usize,
    offsets: OffsetIndexBuilder,
    encodings: Vec<PageEncodingStats>,
    rows: usize,
    uncompressed: usize,
}

impl ChunkPages {
    pub(super) fn new(column: ColumnDescPtr) -> Self {
        Self {
            column,
            data: Vec::new(),
            bytes: 0,
            offsets: OffsetIndexBuilder::new(),
            encodings: Vec::new(),
            rows: 0,
            uncompressed: 0,
        }
    }

    /// Returns the bytes of the pages so far.
    pub(super) fn encoded_size(&self) -> usize {
        self.bytes
    }

    /// Compresses and appends a page.
    pub(super) fn append(
        &mut self,
        body: &[u8],
        encoding: Encoding,
        rows: usize,
        compressor: &SharedCompressor,
    ) -> Result<()> {
        let page = Page::DataPage {
            buf: compressor.compress(body)?,
            num_values: count(rows)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let (page, spec) = with_header(CompressedPage::new(page, body.len()))?;
        self.uncompressed += spec.uncompressed_size;
        self.offsets.append_row_count(rows as i64);
        self.offsets
            .append_offset_and_size(self.bytes as i64, i32::try_from(spec.compressed_size)?);
        self.offsets.append_unencoded_byte_array_data_bytes(None);
        self.bytes += page.len();
        self.data.push(page);
        match self.encodings.last_mut() {
            Some(last) if last.encoding == encoding => last.count += 1,
            _ => self.encodings.push(PageEncodingStats {
                page_type: PageType::DATA_PAGE,
                encoding,
                count: 1,
            }),
        }
        self.rows += rows;
        Ok(())
    }

    /// Ends the chunk, with its dictionary first.
    pub(super) fn close(
        mut self,
        dictionary: &DictionaryPage<'_>,
        bloom_filter: Option<Sbbf>,
        compressor: &SharedCompressor,
    ) -> Result<ColumnChunk> {
        let page = Page::DictionaryPage {
            buf: compressor.compress(dictionary.body)?,
            num_values: count(dictionary.values)?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let (page, spec) = with_header(CompressedPage::new(page, dictionary.body.len()))?;
        let dictionary_bytes = page.len();
        self.data.insert(0, page);
        self.uncompressed += spec.uncompressed_size;
        let stats = PageEncodingStats {
            page_type: PageType::DICTIONARY_PAGE,
            encoding: Encoding::PLAIN,
            count: 1,
        };
        self.encodings.insert(0, stats);
        let bytes = dictionary_bytes + self.bytes;
        // Definition levels are always RLE.
        let encodings = self.encodings.iter().map(|stats| &stats.encoding);
        let encodings = EncodingMask::new_from_encodings(encodings.chain([&Encoding::RLE]));
        let metadata = ColumnChunkMetaData::builder(self.column)
            .set_compression(compression()?)
            .set_encodings_mask(encodings)
            .set_page_encoding_stats(self.encodings)
            .set_total_compressed_size(bytes as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_num_values(self.rows as i64)
            .set_data_page_offset(0)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes as u64,
            rows_written: self.rows as u64,
            metadata,
            bloom_filter,
            column_index: None,
            offset_index: Some(self.offsets.build()),
        };
        Ok(ColumnChunk {
            pages: self.data.into_iter().collect(),
            close: close.update_dictionary_location(dictionary_bytes)?,
        })
    }
}

/// The pages of a chunk with their headers, the dictionary first.
///
/// The crate copies a chunk from a reader into a file; with this one the pages need not be joined
/// for that, which would take the memory of the chunk once more.
pub(super) struct PageList(Vec<Bytes>);

impl PageList {
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }
}

impl FromIterator<Vec<u8>> for PageList {
    fn from_iter<I: IntoIterator<Item = Vec<u8>>>(pages: I) -> Self {
        Self(pages.into_iter().map(Bytes::from).collect())
    }
}

impl Length for PageList {
    fn len(&self) -> u64 {
        self.bytes() as u64
    }
}

impl ChunkReader for PageList {
    type T = PageReader;

    fn get_read(&self, start: u64) -> Result<PageReader> {
        let mut reader = PageReader(self.0.clone().into());
        io::copy(&mut reader.by_ref().take(start), &mut io::sink())?;
        Ok(reader)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = vec![0; length];
        self.get_read(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A reader of pages, one after another.
pub(super) struct PageReader(VecDeque<Bytes>);

impl Read for PageReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.0.front().is_some_and(Bytes::is_empty) {
            self.0.pop_front();
        }
        let Some(page) = self.0.front_mut() else {
            return Ok(0);
        };
        let n = page.len().min(out.len());
        out[..n].copy_from_slice(&page.split_to(n));
        Ok(n)
    }
}

/// Returns a page as in a file, with its header.
fn with_header(page: CompressedPage) -> Result<(Vec<u8>, PageWriteSpec)> {
    let mut out = TrackedWrite::new(Vec::with_capacity(page.compressed_size() + HEADER_BYTES));
    let spec = SerializedPageWriter::new(&mut out).write_page(page)?;
    Ok((out.into_inner()?, spec))
}

fn count(n: usize) -> Result<u32> {
    Ok(u32::try_from(n)?)
}
