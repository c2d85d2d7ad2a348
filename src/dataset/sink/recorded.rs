//! The archives that a dataset is to hold: recorded when a run begins, and compared with those of
//! the runs before it.

use std::{collections::HashSet, path::Path};

use super::{
    Dataset, INPUTS_FOLDER, Input, added, difference, inputs_of, list_name, lists, other_size,
    planned, write_whole,
};
use crate::archive::{
    error::{Error, FolderConflict},
    input::crawl_in,
};

impl Dataset {
    /// Returns the error of a run that expects no dataset: one that has all its archives may be the
    /// dataset of an earlier run like it, which could be resumed.
    pub(super) fn already_there(root: &Path, ours: &[Input]) -> Result<Error, Error> {
        let theirs = inputs_of(root)?;
        Ok(match added(&theirs, ours).filter(|_| !theirs.is_empty()) {
            Some(name) => lacks(root, name),
            None => {
                let message = "this folder already holds a dataset of these archives";
                Error::folder(root, FolderConflict::Exists, message)
            }
        })
    }

    /// Checks that these are the inputs with which the dataset was begun, or all of some of its
    /// crawls.
    pub(super) fn check_inputs(&self, ours: &[Input]) -> Result<(), Error> {
        if let Some(stream) = ours.iter().find(|input| input.is_stream) {
            return Err(Error::usage(format!(
                "{}: its size is not known, so it cannot be compared with the input of the earlier run; a run with a stream cannot be resumed",
                stream.name
            )));
        }
        let mut theirs = inputs_of(self.root())?;
        // A run that was killed at its start has recorded none.
        if theirs.is_empty() {
            return Ok(());
        }
        if let Some(name) = added(&theirs, ours) {
            return Err(lacks(self.root(), name));
        }
        let crawls: HashSet<_> = ours.iter().map(|input| crawl_in(&input.name)).collect();
        theirs.retain(|name, _| crawls.contains(&crawl_in(name)));
        self.refuse_other_inputs(difference(&theirs, ours))
    }

    /// Records the archives that the dataset is to hold: in a file for each list of them, so that
    /// workers that begin at the same time need not wait for each other.
    pub(super) fn record_inputs(&self, ours: &[Input]) -> Result<(), Error> {
        let planned = planned(self.root())?;
        for input in ours {
            if let Some(theirs) = planned.get(&input.name) {
                self.check_input(theirs, input)?;
            }
        }
        if ours.iter().all(|input| planned.contains_key(&input.name)) {
            return Ok(());
        }
        let path = self.root().join(INPUTS_FOLDER).join(list_name(ours));
        write_whole(&self.session.folder, &path, &ours)
    }

    /// Checks that every run that shares this dataset was told the same sizes of these archives.
    /// Parts are cut by sizes, so otherwise archives would be in no part of any run. It is asked
    /// after the archives are recorded: of two runs that begin at one moment, one at least sees
    /// what the other was told.
    ///
    /// # Errors
    ///
    /// An archive of which another run was told another size, or a size where this one was not.
    pub(crate) fn check_sizes(&self, ours: &[Input]) -> Result<(), Error> {
        self.refuse_other_inputs(other_size(&lists(self.root())?.concat(), ours))
    }
}

fn lacks(root: &Path, name: &str) -> Error {
    let message =
        format!("this folder already holds a dataset, and {name} is not among its archives");
    Error::folder(root, FolderConflict::Lacks, message)
}
