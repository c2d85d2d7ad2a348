//! Files that show what each answer of a dialect changes.

/// Short files, each of which a few answers read differently.
const FILES: &[&str] = &[
    "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
    "User-agent: Foo\n\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n",
    "User-agent: Foo\nDisallow: /a\n\nDisallow: /b\nUser-agent: Foo\nDisallow: /c\n",
    "User-agent: Foo/1.0\nDisallow: /a\n\nUser-agent: fo\nAllow: /a\nDisallow: /\n",
    "User-agent: Foo Bar\nDisallow: /a\n",
    "User-agent: xFoo_1\nDisallow: /a\n\nUser-agent: Foo\nDisallow: /b\n",
    "User-agent: *\nDisallow: /x*\nAllow: /x\n\nUser-agent: b\nDisallow: /fish*\nAllow: /fish\n",
    "User-agent: *\nDisallow: /*.pdf$\nDisallow: b\nAllow: /pa*e\nDisallow: /page\n",
    "User-agent: *\nDisallow: /%7ejoe/%2f\nAllow: /\u{e4}?%3a\nDisallow: /\n",
    "User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /%61b%2Fc%3\n",
    "User-agent: *\nDisallow\nDisallow: /\nAllow:\n",
    "User-agent: *\nDisallow:\n\nUser-agent: Foo\nAllow:\nDisallow: /\n",
    "User-agent: *\nDisallow: /\nAllow: /dir/index.html\n",
    "User-agent: *\nDisallow: /\nAllow: /page\n",
    "User-agent *\nDisallow /a\nDisallow: /b\n",
    "\u{feff}User-agent: *\nDisallow: /\n",
    "User-agent: *\nDissallow: /a\nDisallow\0: /b\nDisallow: /c\0d\n",
    "User-agent: *\nDisallow: /a\u{b}Disallow: /b\u{85}\nDisallow: \"/c\"\n",
    "useragent: *\ndisallow: /a\nDisallow-all: /b\n",
    "User-agent: foo\nDisallow: /a\n\nUser-agent: FOO\nDisallow: /b\n",
    "User-agent: *\nAllow: /p\nDisallow: /*l\nAllow: /folder\nDisallow: /*older\n",
    "User-agent: a\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /\n",
    "User-agent: A\nDisallow: /a\n\nUser-agent: B\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n",
    "User-agent: *\nDisallow: /robots.txt\n",
    "User-agent: *\nDisallow: x/y\nDisallow: /z\n",
    "User-agent: *\nDisallow: *\nAllow: /w\n",
    "User-agent: Foo\nUser-agent: Bar\nDisallow: /\n\n\nAllow: /a\n",
];

/// Returns the bodies: the short files, some that are not UTF-8, and some beyond the limits of
/// lines and files.
pub fn bodies() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = FILES.iter().map(|body| body.as_bytes().to_vec()).collect();
    bodies.push(b"\xEF\xBBUser-agent: *\nDisallow: /\n".to_vec());
    bodies.push(b"User-agent: *\nDisallow: /\xE4\n".to_vec());
    for length in [9_000, 17_000] {
        // The rule is behind the limit of a line.
        let blanks = " ".repeat(length);
        bodies.push(format!("User-agent: *\nDisallow:{blanks}/a\n").into_bytes());
    }
    for length in [9_000, 505_000, 600_000] {
        // The rule is behind the limit of a file.
        let comments = "# a comment\n".repeat(length / 12);
        bodies.push(format!("User-agent: *\n{comments}Disallow: /a\n").into_bytes());
    }
    bodies
}
