//! What the user can do about an error, in terms of the command line.

use robocensus::{Error, ErrorKind, FolderConflict};

/// How the command line does what the library advises for a damaged dataset.
pub const REPAIRS: &str = "robocensus run resumes with --resume, joins with --join and overwrites with --overwrite; robocensus finish makes the tables of the whole dataset";

/// Returns the hint that follows the message of an error, if there is one.
pub fn hint(error: &anyhow::Error) -> Option<&'static str> {
    let error = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Error>())?;
    let conflict = match error.kind() {
        ErrorKind::Folder { conflict, .. } => conflict,
        ErrorKind::Corrupt { .. } => return Some(REPAIRS),
        _ => return None,
    };
    Some(match conflict {
        FolderConflict::Foreign => "move it, or give another folder with --out",
        FolderConflict::Exists => {
            "resume it with --resume, replace it with --overwrite, or give another folder with --out"
        }
        FolderConflict::Lacks => {
            "add the archives with --join and the same options, replace the dataset with --overwrite, or give another folder with --out"
        }
        FolderConflict::Differs => {
            "give the same inputs and options, begin again with --overwrite, or give another folder with --out"
        }
        FolderConflict::Busy => {
            "wait until it has ended, or give another folder with --out (workers that share a folder all need --join)"
        }
        FolderConflict::UnnamedStream => "--stdin-name names standard input",
        FolderConflict::NoDataset => "give the folder that a run named with --out",
    })
}
