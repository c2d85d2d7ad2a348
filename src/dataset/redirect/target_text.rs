//! The texts of the few targets that rows need besides their own: the ends of chains of several
//! hops.

/// The texts of targets, by the indices of redirects.
#[derive(Debug, Default)]
pub struct TargetTexts {
    /// Rising.
    wanted: Vec<u32>,
    /// The position in `text` where each text ends, for as many of `wanted` as are known.
    ends: Vec<usize>,
    text: String,
}

impl TargetTexts {
    /// Returns a collection for the redirects of these indices, which must rise.
    pub fn new(wanted: Vec<u32>) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    /// Returns true if and only if no text is wanted.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns true if and only if the text of this redirect is to be pushed.
    pub fn wants(&self, index: u32) -> bool {
        self.wanted.binary_search(&index).is_ok()
    }

    /// Takes the text of a redirect; those that are wanted must be pushed in their order. Others
    /// are left out.
    pub fn push(&mut self, index: u32, text: &str) {
        if self.wanted.get(self.ends.len()) == Some(&index) {
            self.text.push_str(text);
            self.ends.push(self.text.len());
        }
    }

    /// Returns the text of a redirect, if it was wanted and pushed.
    pub fn get(&self, index: u32) -> Option<&str> {
        let at = self.wanted.binary_search(&index).ok()?;
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wanted_texts_are_held() {
        let mut texts = TargetTexts::new(vec![1, 4]);
        for (index, text) in ["a", "bb", "ccc", "", "dddd"].into_iter().enumerate() {
            let index = index as u32;
            assert_eq!(texts.wants(index), [1, 4].contains(&index));
            texts.push(index, text);
        }
        assert_eq!(texts.text, "bbdddd");
        let found: Vec<_> = (0..6).map(|index| texts.get(index)).collect();
        assert_eq!(found, [None, Some("bb"), None, None, Some("dddd"), None]);
        assert!(TargetTexts::new(Vec::new()).is_empty());
    }
}
