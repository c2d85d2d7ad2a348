//! The encoder of columns whose values the `parquet` crate encodes; their pages are compressed
//! here.
//!
//! A column writer of the crate that compresses keeps a compressor, a decompressor and their
//! buffers as long as its row group is open, and a worker has some eighty such columns. So the
//! crate is told not to compress, and hands over each page, header and body, as soon as it is full
//! ([`PageStore`]). The body is compressed by the one compressor of the thread, and its size is
//! replaced in the header.

use std::{
    fmt, io, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_array::ArrayRef;
use arrow_schema::{FieldRef, Schema, SchemaRef};
use bytes::Bytes;
use parquet::{
    arrow::{
        ArrowSchemaConverter,
        arrow_writer::{
            ArrowColumnWriter, ArrowRowGroupWriterFactory, PageKey, PageStore, PageStoreArgs,
            PageStoreFactory, compute_leaves,
        },
    },
    basic::Encoding,
    column::writer::ColumnCloseResult,
    errors::{ParquetError, Result},
    file::{
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::TypePtr,
};

use super::{
    ColumnChunk, bloom,
    hybrid::varint,
    pages::{SharedCompressor, compression},
};
use crate::dataset::table::{Column, ColumnType, ValueEncoding};

/// How the chunks of a column of values are laid out: what the crate needs for a file of this
/// column alone.
pub(super) struct ValueLayout {
    field: FieldRef,
    schema: SchemaRef,
    parquet: TypePtr,
    properties: WriterPropertiesPtr,
}

impl ValueLayout {
    pub(super) fn new(field: FieldRef, column: &Column) -> Result<Self> {
        let has_dictionary =
            column.encoding == ValueEncoding::Dictionary || column.column_type == ColumnType::Name;
        let mut properties = WriterProperties::builder()
            .set_dictionary_enabled(has_dictionary)
            // In a column with a dictionary, this is for the values after it has become too large.
            .set_encoding(match column.encoding {
                ValueEncoding::Delta => Encoding::DELTA_BINARY_PACKED,
                ValueEncoding::Plain | ValueEncoding::Dictionary => Encoding::PLAIN,
            });
        if column.has_bloom_filter {
            properties = properties
                .set_bloom_filter_max_ndv(bloom::DISTINCT_VALUES)
                .set_bloom_filter_fpp(bloom::FALSE_POSITIVES);
        }
        let schema = Arc::new(Schema::new(vec![field.clone()]));
        let parquet = ArrowSchemaConverter::new().convert(&schema)?;
        Ok(Self {
            field,
            schema,
            parquet: parquet.root_schema_ptr(),
            properties: Arc::new(properties.build()),
        })
    }

    /// Returns the crate's writer of a chunk, which stores its pages in `pages`.
    fn writer(&self, pages: Pages) -> Result<ArrowColumnWriter> {
        // The factory takes schema and properties from a file writer, which writes no row here.
        let file =
            SerializedFileWriter::new(io::sink(), self.parquet.clone(), self.properties.clone())?;
        let writers = ArrowRowGroupWriterFactory::new(&file, self.schema.clone())
            .with_page_store_factory(Arc::new(pages))
            .create_column_writers(0)?;
        <[ArrowColumnWriter; 1]>::try_from(writers)
            .map(|[writer]| writer)
            .map_err(|_| {
                ParquetError::NYI(format!(
                    "the column {} is nested; tables are flat",
                    self.field.name()
                ))
            })
    }
}

/// An encoder of a chunk of values.
pub(in crate::dataset::sink) struct ValueEncoder {
    field: FieldRef,
    writer: ArrowColumnWriter,
    pages: Pages,
}

impl ValueEncoder {
    pub(super) fn new(layout: &ValueLayout, compressor: &SharedCompressor) -> Result<Self> {
        let pages = Pages::new(compressor.clone());
        Ok(Self {
            field: layout.field.clone(),
            writer: layout.writer(pages.clone())?,
            pages,
        })
    }

    pub(super) fn write(&mut self, array: &ArrayRef) -> Result<()> {
        compute_leaves(&self.field, array)?
            .iter()
            .try_for_each(|leaf| self.writer.write(leaf))
    }

    pub(super) fn encoded_size(&self) -> usize {
        let pages = self.pages.lock();
        // The crate counts its pages as it handed them over.
        self.writer.get_estimated_total_bytes() - pages.handed_over + pages.encoded
    }

    pub(super) fn close(self) -> Result<ColumnChunk> {
        let close = self.writer.close()?.close().clone();
        let pages = mem::take(&mut *self.pages.lock());
        pages.into_chunk(close)
    }
}

/// The pages of a chunk, which the crate's writer of it and its encoder share.
#[derive(Clone)]
struct Pages {
    compressor: SharedCompressor,
    stored: Arc<Mutex<StoredPages>>,
}

/// The compressed pages of a chunk so far.
#[derive(Default)]
struct StoredPages {
    /// The header whose body is next.
    header: Option<Bytes>,
    /// With its header; empty if there is none.
    dictionary: Vec<u8>,
    /// With their headers.
    data: Vec<Vec<u8>>,
    /// Bytes of all pages.
    encoded: usize,
    /// Bytes of all pages with bodies that are not compressed.
    uncompressed: usize,
    /// Bytes of all headers and bodies as the crate made them.
    handed_over: usize,
}

impl Pages {
    fn new(compressor: SharedCompressor) -> Self {
        Self {
            compressor,
            stored: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, StoredPages> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").finish_non_exhaustive()
    }
}

impl PageStoreFactory for Pages {
    fn create(&self, _: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>> {
        Ok(Box::new(self.clone()))
    }
}

impl PageStore for Pages {
    /// Takes the header of a page, then its body.
    fn put(&mut self, bytes: Bytes) -> Result<PageKey> {
        let mut stored = self.lock();
        stored.handed_over += bytes.len();
        match stored.header.take() {
            None => stored.header = Some(bytes),
            Some(header) => stored.append(&header, &bytes, &self.compressor)?,
        }
        Ok(PageKey::new(0))
    }

    fn take(&mut self, _: PageKey) -> Result<Bytes> {
        Err(ParquetError::NYI(
            "the encoder has the pages, so nothing takes them from the writer".to_owned(),
        ))
    }
}

impl StoredPages {
    fn append(&mut self, header: &[u8], body: &[u8], compressor: &SharedCompressor) -> Result<()> {
        let header = PageHeader::parse(header).ok_or_else(|| {
            ParquetError::NYI("a page header that does not begin with its sizes".to_owned())
        })?;
        let page = header.with_body(&compressor.compress(body)?);
        self.encoded += page.bytes.len();
        self.uncompressed += page.header_bytes + body.len();
        if header.is_dictionary {
            self.dictionary = page.bytes;
        } else {
            self.data.push(page.bytes);
        }
        Ok(())
    }

    /// Returns the chunk of these pages; `close` is what the crate knows of it.
    fn into_chunk(self, mut close: ColumnCloseResult) -> Result<ColumnChunk> {
        if let Some(index) = &mut close.offset_index {
            let mut offset = 0;
            for (location, page) in index.page_locations.iter_mut().zip(&self.data) {
                location.offset = offset;
                location.compressed_page_size = i32::try_from(page.len())?;
                offset += i64::from(location.compressed_page_size);
            }
        }
        close.bytes_written = self.encoded as u64;
        close.metadata = (close.metadata.into_builder())
            .set_compression(compression()?)
            .set_total_compressed_size(self.encoded as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_data_page_offset(0)
            .build()?;
        let close = close.update_dictionary_location(self.dictionary.len())?;
        let dictionary = Some(self.dictionary).filter(|page| !page.is_empty());
        let pages = dictionary.into_iter().chain(self.data);
        Ok(ColumnChunk {
            pages: pages.collect(),
            close,
        })
    }
}

/// A page header (parquet.thrift, `PageHeader`) in Thrift's compact protocol, as far as its
/// compressed size is concerned.
struct PageHeader<'a> {
    is_dictionary: bool,
    /// The fields `type` and `uncompressed_page_size`.
    begin: &'a [u8],
    /// What follows the field `compressed_page_size`.
    rest: &'a [u8],
}

/// A page with its header.
struct WholePage {
    bytes: Vec<u8>,
    header_bytes: usize,
}

/// The byte before a 32-bit integer whose field follows the field before it.
const NEXT_I32: u8 = 0x15;
/// `PageType::DICTIONARY_PAGE` in zigzag encoding.
const DICTIONARY_PAGE: u8 = 2 << 1;

impl<'a> PageHeader<'a> {
    /// Parses a header; `None` if it does not begin with its type and both sizes, or if a checksum
    /// follows, which would be that of another body.
    fn parse(header: &'a [u8]) -> Option<Self> {
        let mut rest = header;
        let mut lengths = [0; 3];
        for length in &mut lengths {
            let (&NEXT_I32, number) = rest.split_first()? else {
                return None;
            };
            // The last byte of a variable-length integer is the first without the highest bit.
            *length = number.iter().position(|byte| byte & 0x80 == 0)? + 2;
            rest = &rest[*length..];
        }
        let [kind, size, _] = lengths;
        (rest.first() != Some(&NEXT_I32)).then_some(Self {
            is_dictionary: header[1] == DICTIONARY_PAGE,
            begin: &header[..kind + size],
            rest,
        })
    }

    /// Returns a page of this header with another body.
    fn with_body(&self, body: &[u8]) -> WholePage {
        let mut size = vec![NEXT_I32];
        // In zigzag encoding, as every number of a header.
        varint((body.len() as u64) << 1, &mut size);
        let bytes = [self.begin, &size, self.rest, body].concat();
        let header_bytes = bytes.len() - body.len();
        WholePage {
            bytes,
            header_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use arrow_schema::{DataType, Field};
    use parquet::{
        basic::{Compression, PageType},
        schema::types::ColumnPath,
    };

    use super::*;

    /// A header of 300 bytes that were compressed to 200, of a page of this type, before `rest`.
    fn header(kind: u8, rest: &[u8]) -> Vec<u8> {
        [&[0x15, kind << 1, 0x15, 0xd8, 0x04, 0x15, 0x90, 0x03], rest].concat()
    }

    #[test]
    fn the_size_of_a_body_replaces_another_in_its_header() {
        let data = header(PageType::DATA_PAGE as u8, b"\x2c rest");
        let parsed = PageHeader::parse(&data).unwrap();
        assert!(!parsed.is_dictionary);
        for (length, size) in [
            (3, &b"\x06"[..]),
            (64, b"\x80\x01"),
            (9_000, b"\xd0\x8c\x01"),
        ] {
            let body = vec![b'x'; length];
            let page = parsed.with_body(&body);
            let wanted = [&data[..6], size, b"\x2c rest"].concat();
            assert_eq!(page.bytes, [wanted.clone(), body].concat());
            assert_eq!(page.header_bytes, wanted.len());
        }
        let dictionary = header(PageType::DICTIONARY_PAGE as u8, b"\x4c");
        assert!(PageHeader::parse(&dictionary).unwrap().is_dictionary);
    }

    #[test]
    fn a_header_of_another_form_or_with_a_checksum_is_refused() {
        let checksum = header(0, b"\x15\x02\x2c");
        let cut = &header(0, b"")[..7];
        for other in [
            &b""[..],
            b"\x15",
            b"\x15\0\x25\x02\x15\x02\x2c",
            cut,
            &checksum,
        ] {
            assert!(PageHeader::parse(other).is_none(), "{other:?}");
        }
    }

    /// Else each of some eighty columns of a worker would keep a compressor and a decompressor.
    #[test]
    fn the_crate_does_not_compress_and_every_page_is_compressed() {
        let field = Arc::new(Field::new("text", DataType::Utf8, false));
        for (column, least_ratio) in [
            (Column::of_type(ColumnType::Text), 100),
            // The pages of one text are too small to become smaller.
            (Column::of_type(ColumnType::Text).dictionary(), 0),
        ] {
            let layout = ValueLayout::new(field.clone(), &column).unwrap();
            let path = ColumnPath::from("text");
            let codec = layout.properties.compression(&path);
            assert_eq!(codec, Compression::UNCOMPRESSED);
            let mut encoder = ValueEncoder::new(&layout, &SharedCompressor::default()).unwrap();
            let texts: ArrayRef = Arc::new(StringArray::from(vec!["a text that repeats"; 50_000]));
            encoder.write(&texts).unwrap();
            let before = encoder.encoded_size();
            let chunk = encoder.close().unwrap();
            let metadata = &chunk.close.metadata;
            assert_eq!(metadata.compression(), compression().unwrap());
            assert_eq!(metadata.compressed_size(), chunk.bytes() as i64);
            assert!(
                chunk.bytes() < 10_000 && before < 300_000,
                "{} {before}",
                chunk.bytes()
            );
            assert!(metadata.uncompressed_size() > least_ratio * metadata.compressed_size());
            let index = chunk.close.offset_index.as_ref().unwrap();
            let end = index.page_locations.last().unwrap();
            assert_eq!(
                end.offset + i64::from(end.compressed_page_size),
                chunk.bytes() as i64
            );
        }
    }
}
