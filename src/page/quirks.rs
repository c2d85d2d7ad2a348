//! Which doctypes put a page into quirks mode (HTML Standard, 13.2.6.4.1).
//!
//! The mode decides whether a table is in the paragraph before it.

/// A doctype.
#[derive(Debug)]
pub(super) struct Doctype<'d> {
    pub name: &'d [u8],
    pub public: Option<&'d [u8]>,
    pub system: Option<&'d [u8]>,
    /// Whether it is malformed.
    pub is_forced: bool,
}

impl Doctype<'_> {
    /// Returns true if and only if it puts the page into quirks mode.
    pub fn is_quirks(&self) -> bool {
        let is = |part: Option<&[u8]>, texts: &[&str]| {
            let part = part.unwrap_or_default();
            texts
                .iter()
                .any(|text| part.eq_ignore_ascii_case(text.as_bytes()))
        };
        let starts = |texts: &[&str]| {
            let part = self.public.unwrap_or_default();
            texts.iter().any(|text| {
                part.get(..text.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
            })
        };
        self.is_forced
            || !self.name.eq_ignore_ascii_case(b"html")
            || is(self.public, PUBLIC)
            || is(self.system, SYSTEM)
            || starts(PUBLIC_STARTS)
            || self.system.is_none() && starts(PUBLIC_STARTS_WITHOUT_SYSTEM)
    }
}

const PUBLIC: &[&str] = &[
    "-//W3O//DTD W3 HTML Strict 3.0//EN//",
    "-/W3C/DTD HTML 4.0 Transitional/EN",
    "HTML",
];
const SYSTEM: &[&str] = &["http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"];
const PUBLIC_STARTS: &[&str] = &[
    "+//Silmaril//dtd html Pro v0r11 19970101//",
    "-//AS//DTD HTML 3.0 asWedit + extensions//",
    "-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//",
    "-//IETF//DTD HTML 2.0 Level 1//",
    "-//IETF//DTD HTML 2.0 Level 2//",
    "-//IETF//DTD HTML 2.0 Strict Level 1//",
    "-//IETF//DTD HTML 2.0 Strict Level 2//",
    "-//IETF//DTD HTML 2.0 Strict//",
    "-//IETF//DTD HTML 2.0//",
    "-//IETF//DTD HTML 2.1E//",
    "-//IETF//DTD HTML 3.0//",
    "-//IETF//DTD HTML 3.2 Final//",
    "-//IETF//DTD HTML 3.2//",
    "-//IETF//DTD HTML 3//",
    "-//IETF//DTD HTML Level 0//",
    "-//IETF//DTD HTML Level 1//",
    "-//IETF//DTD HTML Level 2//",
    "-//IETF//DTD HTML Level 3//",
    "-//IETF//DTD HTML Strict Level 0//",
    "-//IETF//DTD HTML Strict Level 1//",
    "-//IETF//DTD HTML Strict Level 2//",
    "-//IETF//DTD HTML Strict Level 3//",
    "-//IETF//DTD HTML Strict//",
    "-//IETF//DTD HTML//",
    "-//Metrius//DTD Metrius Presentational//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 2.0 Tables//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 3.0 Tables//",
    "-//Netscape Comm. Corp.//DTD HTML//",
    "-//Netscape Comm. Corp.//DTD Strict HTML//",
    "-//O'Reilly and Associates//DTD HTML 2.0//",
    "-//O'Reilly and Associates//DTD HTML Extended 1.0//",
    "-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//",
    "-//SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//",
    "-//Spyglass//DTD HTML 2.0 Extended//",
    "-//Sun Microsystems Corp.//DTD HotJava HTML//",
    "-//Sun Microsystems Corp.//DTD HotJava Strict HTML//",
    "-//W3C//DTD HTML 3 1995-03-24//",
    "-//W3C//DTD HTML 3.2 Draft//",
    "-//W3C//DTD HTML 3.2 Final//",
    "-//W3C//DTD HTML 3.2//",
    "-//W3C//DTD HTML 3.2S Draft//",
    "-//W3C//DTD HTML 4.0 Frameset//",
    "-//W3C//DTD HTML 4.0 Transitional//",
    "-//W3C//DTD HTML Experimental 19960712//",
    "-//W3C//DTD HTML Experimental 970421//",
    "-//W3C//DTD W3 HTML//",
    "-//W3O//DTD W3 HTML 3.0//",
    "-//WebTechs//DTD Mozilla HTML 2.0//",
    "-//WebTechs//DTD Mozilla HTML//",
];
const PUBLIC_STARTS_WITHOUT_SYSTEM: &[&str] = &[
    "-//W3C//DTD HTML 4.01 Frameset//",
    "-//W3C//DTD HTML 4.01 Transitional//",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctypes_of_old_pages_are_quirks() {
        const STRICT: &str = "-//W3C//DTD HTML 4.01//EN";
        const LOOSE: &str = "-//w3c//dtd html 4.01 transitional//EN";
        for (name, public, system, is_quirks) in [
            ("html", None, None, false),
            ("HTML", None, Some("about:legacy-compat"), false),
            ("", None, None, true),
            ("xml", None, None, true),
            ("html", Some(STRICT), None, false),
            ("html", Some(LOOSE), None, true),
            (
                "html",
                Some(LOOSE),
                Some("http://www.w3.org/TR/html4/loose.dtd"),
                false,
            ),
            ("html", Some("-//W3C//DTD HTML 3.2 Final//EN"), None, true),
            ("html", Some("html"), None, true),
        ] {
            let doctype = Doctype {
                name: name.as_bytes(),
                public: public.map(str::as_bytes),
                system: system.map(str::as_bytes),
                is_forced: false,
            };
            assert_eq!(
                doctype.is_quirks(),
                is_quirks,
                "{name} {public:?} {system:?}"
            );
        }
    }
}
