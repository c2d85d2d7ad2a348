//! The pages of one column chunk: compressed, with their heads, in memory, and the metadata that a
//! file keeps of them.
//!
//! Encoded bodies enter, a [`Chunk`] leaves. The `parquet` crate writes the heads and the footer;
//! which encoding a body has is known here, what is in it is not.

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
        metadata::{ColumnChunkMetaData, LevelHistogram, OffsetIndexBuilder, PageEncodingStats},
        page_index::column_index::ColumnIndexMetaData,
        statistics::Statistics,
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use super::Chunk;

/// Level of compression: the fastest regular one, since dictionaries and runs have taken out most
/// before it.
const ZSTD_LEVEL: i32 = 1;

/// Room for the head of a page without statistics.
const HEAD_BYTES: usize = 64;

/// Returns the compression of every page.
pub(in crate::sink) fn compression() -> Result<Compression> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
}

/// A compressor, and the room for what it makes; one serves all columns of an encoder.
pub(super) struct Press {
    compressor: zstd::bulk::Compressor<'static>,
    out: Vec<u8>,
}

impl Press {
    pub(super) fn new() -> Result<Self> {
        let compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL).map_err(external)?;
        Ok(Self {
            compressor,
            out: Vec::new(),
        })
    }

    pub(super) fn compress(&mut self, body: &[u8]) -> Result<&[u8]> {
        self.out.clear();
        self.out
            .reserve_exact(zstd::zstd_safe::compress_bound(body.len()));
        self.compressor
            .compress_to_buffer(body, &mut self.out)
            .map_err(external)?;
        Ok(&self.out)
    }
}

fn external(error: std::io::Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// What a page is besides its body.
pub(super) struct Facts {
    pub(super) encoding: Encoding,
    pub(super) rows: usize,
    /// Bytes of its texts without their lengths, in a chunk of which every page says so.
    pub(super) text_bytes: Option<usize>,
}

/// The dictionary of a chunk, `PLAIN`.
pub(super) struct DictionaryPage<'a> {
    pub(super) body: &'a [u8],
    pub(super) values: usize,
}

/// What a chunk says of its values.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) statistics: Option<Statistics>,
    pub(super) column_index: Option<ColumnIndexMetaData>,
    pub(super) levels: Option<LevelHistogram>,
    pub(super) bloom: Option<Sbbf>,
}

/// The data pages of a chunk that is being written.
pub(super) struct Pages {
    column: ColumnDescPtr,
    /// Each page with its head, in room of its own: a vector of all would be copied whenever it
    /// grows, and be up to half empty.
    data: Vec<Vec<u8>>,
    bytes: usize,
    offsets: OffsetIndexBuilder,
    encodings: Vec<PageEncodingStats>,
    rows: usize,
    uncompressed: usize,
    text_bytes: Option<usize>,
}

impl Pages {
    pub(super) fn new(column: ColumnDescPtr) -> Self {
        Self {
            column,
            data: Vec::new(),
            bytes: 0,
            offsets: OffsetIndexBuilder::new(),
            encodings: Vec::new(),
            rows: 0,
            uncompressed: 0,
            text_bytes: None,
        }
    }

    /// Returns the bytes of memory of the pages so far, rounded up generously. Row groups end by
    /// it: it must be the same wherever the program runs.
    pub(super) fn memory_size(&self) -> usize {
        self.bytes.next_power_of_two()
    }

    /// Compresses and appends a page.
    pub(super) fn append(&mut self, body: &[u8], facts: Facts, press: &mut Press) -> Result<()> {
        let page = Page::DataPage {
            buf: Bytes::copy_from_slice(press.compress(body)?),
            num_values: count(facts.rows)?,
            encoding: facts.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let page = CompressedPage::new(page, body.len());
        let (piece, spec) = with_head(page)?;
        self.uncompressed += spec.uncompressed_size;
        self.offsets.append_row_count(facts.rows as i64);
        self.offsets
            .append_offset_and_size(self.bytes as i64, size(&spec)?);
        self.bytes += piece.len();
        self.data.push(piece);
        let text_bytes = facts.text_bytes.map(|bytes| bytes as i64);
        self.offsets
            .append_unencoded_byte_array_data_bytes(text_bytes);
        if let Some(bytes) = facts.text_bytes {
            *self.text_bytes.get_or_insert(0) += bytes;
        }
        match self.encodings.last_mut() {
            Some(last) if last.encoding == facts.encoding => last.count += 1,
            _ => self.encodings.push(PageEncodingStats {
                page_type: PageType::DATA_PAGE,
                encoding: facts.encoding,
                count: 1,
            }),
        }
        self.rows += facts.rows;
        Ok(())
    }

    /// Ends the chunk, with its dictionary in front.
    pub(super) fn close(
        mut self,
        dictionary: Option<DictionaryPage<'_>>,
        summary: Summary,
        press: &mut Press,
    ) -> Result<Chunk> {
        let mut dictionary_bytes = 0;
        if let Some(dictionary) = dictionary {
            let page = Page::DictionaryPage {
                buf: Bytes::copy_from_slice(press.compress(dictionary.body)?),
                num_values: count(dictionary.values)?,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            let page = CompressedPage::new(page, dictionary.body.len());
            let (piece, spec) = with_head(page)?;
            dictionary_bytes = piece.len();
            self.data.insert(0, piece);
            self.uncompressed += spec.uncompressed_size;
            let stats = PageEncodingStats {
                page_type: PageType::DICTIONARY_PAGE,
                encoding: Encoding::PLAIN,
                count: 1,
            };
            self.encodings.insert(0, stats);
        }
        let bytes = dictionary_bytes + self.bytes;
        // Levels are always written as runs.
        let encodings = self.encodings.iter().map(|stats| &stats.encoding);
        let encodings = EncodingMask::new_from_encodings(encodings.chain([&Encoding::RLE]));
        let has_statistics = summary.statistics.is_some();
        let mut metadata = ColumnChunkMetaData::builder(self.column)
            .set_compression(compression()?)
            .set_encodings_mask(encodings)
            .set_page_encoding_stats(self.encodings)
            .set_total_compressed_size(bytes as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_num_values(self.rows as i64)
            .set_data_page_offset(0)
            .set_definition_level_histogram(summary.levels);
        if let Some(statistics) = summary.statistics {
            metadata = metadata.set_statistics(statistics);
        }
        if has_statistics {
            let text_bytes = self.text_bytes.map(|bytes| bytes as i64);
            metadata = metadata.set_unencoded_byte_array_data_bytes(text_bytes);
        }
        let close = ColumnCloseResult {
            bytes_written: bytes as u64,
            rows_written: self.rows as u64,
            metadata: metadata.build()?,
            bloom_filter: summary.bloom,
            column_index: summary.column_index,
            offset_index: Some(self.offsets.build()),
        };
        Ok(Chunk {
            pages: self.data,
            close: close.update_dictionary_location(dictionary_bytes)?,
        })
    }
}

/// Returns a page as it stands in the file, behind its head.
fn with_head(page: CompressedPage) -> Result<(Vec<u8>, PageWriteSpec)> {
    let mut piece = TrackedWrite::new(Vec::with_capacity(page.compressed_size() + HEAD_BYTES));
    let spec = SerializedPageWriter::new(&mut piece).write_page(page)?;
    Ok((piece.into_inner()?, spec))
}

fn count(n: usize) -> Result<u32> {
    Ok(u32::try_from(n)?)
}

fn size(spec: &PageWriteSpec) -> Result<i32> {
    Ok(i32::try_from(spec.compressed_size)?)
}
