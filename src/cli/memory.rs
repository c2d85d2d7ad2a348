//! How the program's allocator treats large blocks.

/// Bytes from which on glibc maps a block by itself, and gives it back to the system when it is
/// freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 512 * 1024;

/// Makes peak memory the same from run to run, and for long inputs as for short ones.
///
/// By itself glibc takes the size of the largest block that was freed for its threshold. Columns
/// and pages then lie among small blocks, and how many holes that leaves is chance: of a million
/// captures the peak with one thread was 58 MB in one run and 62 MB in the next.
pub fn keep_predictable() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the setting is a call of the C library")]
    // SAFETY: no other thread runs yet, and the call takes two numbers. One that it refuses changes
    // nothing.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
