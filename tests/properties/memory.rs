//! The peak memory of a function, without what C code allocates.

/// Does `work` and returns its result, with the most bytes that it held at a time beyond what was
/// held before.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(work()));
    let most = usize::try_from(info.bytes_max).expect("a peak fits the address space");
    (result.expect("the work was done"), most)
}

/// Does `work` and returns how often it asked for memory.
pub fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}
