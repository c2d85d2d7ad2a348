//! How the program's allocator treats large blocks.

/// Size from which glibc maps a block separately, and returns it to the system when it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 512 * 1024;

/// Makes peak memory equal from run to run, and independent of the length of the input.
///
/// By default glibc raises this threshold to the size of the largest block that was freed. Columns
/// and pages are then allocated among small blocks, and fragmentation varies: for a million
/// captures the peak with one thread was 58 MB in one run and 62 MB in the next.
pub fn fix_mmap_threshold() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the setting is a call of the C library")]
    // SAFETY: no other thread runs yet, and the call takes two numbers. A value that it rejects has
    // no effect.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
