//! Runs: sorted records on disk.

use super::{Sorter, held::Held};
use crate::archive::error::Error;

/// Sorts the records of one thread for a [`Sorter`].
pub struct RunBuilder<'s, 'd> {
    pub(super) sorter: &'s Sorter<'d>,
    pub(super) held: Held,
}

/// Adjacent records of a run, in which each follows its length.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    /// The group key of the first record.
    pub(super) key: Box<[u8]>,
    pub(super) n_bytes: usize,
    /// Where it is in the file.
    pub(super) offset: u64,
}

impl RunBuilder<'_, '_> {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// A temporary file that cannot be written.
    pub fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        if self.held.n_bytes_with(record) > self.sorter.run_bytes {
            self.end_run()?;
        }
        self.held.push(record);
        Ok(())
    }

    /// Adds the last records to the sorter; without that they are lost.
    ///
    /// # Errors
    ///
    /// See [`RunBuilder::push`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.end_run()
    }

    fn end_run(&mut self) -> Result<(), Error> {
        if self.held.len() == 0 {
            return Ok(());
        }
        self.held.sort();
        let blocks = self.held.compress()?;
        self.sorter.write(&self.held, &blocks)?;
        self.held.clear();
        Ok(())
    }
}
