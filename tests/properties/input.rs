//! Choices read from the start of an input. One that is too short chooses 0, so that any bytes are
//! an input.

/// The bytes that are left of an input.
pub struct Input<'i>(pub &'i [u8]);

impl<'i> Input<'i> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    /// Takes a byte that chooses one of `items`.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::from(self.byte()) % items.len()]
    }

    /// Takes what stands in front of the next `separator`, and the separator; all that is left,
    /// where there is none.
    pub fn until(&mut self, separator: u8) -> &'i [u8] {
        let end = self.0.iter().position(|&byte| byte == separator);
        let part = &self.0[..end.unwrap_or(self.0.len())];
        self.0 = &self.0[end.map_or(self.0.len(), |end| end + 1)..];
        part
    }
}
