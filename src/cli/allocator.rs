//! How the program's allocator treats large blocks and free memory.

/// Size from which glibc maps a block separately, and returns it to the system when it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 2 * 1024 * 1024;
/// Free memory at the end of a heap that is kept.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: i32 = 256 * 1024 * 1024;
/// Bytes by which a heap grows at least.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const GROWTH: i32 = 1024 * 1024;

/// Makes peak memory equal from run to run and independent of the length of the input, and keeps
/// memory between batches.
///
/// By default glibc raises the size of large blocks to that of the largest that was freed. Columns
/// and pages are then allocated among small blocks, and fragmentation varies: for a million
/// captures the peak with one thread was 58 MB in one run and 62 MB in the next. A limit of 512 KiB
/// would save 3 to 6 MB, but the system would clear more pages: 3 % of the time of a run over
/// generated archives, 5 % over real ones.
///
/// It also returns the end of a heap to the system whenever 128 KiB of it are free, which is after
/// every batch, and the system clears each page that it gives again. To keep them saves 6 % of the
/// time of a run over generated archives, nothing over real ones, and takes 2 to 6 MB.
pub fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the settings are calls of the C library")]
    // SAFETY: no other thread runs yet, and each call takes two numbers. A value that it rejects
    // has no effect.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_TOP_PAD, GROWTH);
    }
}
