//! Enters: names, numbers and plain text. Leaves: one pretty-printed JSON object.
//!
//! Keys stand in the order in which they are given, which no build option of a library can change.
//! This room refuses to know any value but counts and texts without characters to escape.

/// A JSON object being written.
pub(super) struct Json {
    text: String,
    depth: usize,
    is_first: bool,
}

impl Json {
    /// Opens the object.
    pub(super) fn new() -> Json {
        Json {
            text: "{".to_owned(),
            depth: 1,
            is_first: true,
        }
    }

    /// Appends a member whose value is a number.
    pub(super) fn number(&mut self, key: &str, value: u64) {
        self.key(key);
        self.text.push_str(&value.to_string());
    }

    /// Appends a member whose value is a text free of quotes, backslashes and control characters.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.text.push('"');
        self.text.push_str(value);
        self.text.push('"');
    }

    /// Appends a member whose value is the object that `fill` writes.
    pub(super) fn object(&mut self, key: &str, fill: impl FnOnce(&mut Json)) {
        self.key(key);
        self.text.push('{');
        self.depth += 1;
        self.is_first = true;
        fill(self);
        self.close();
    }

    /// Closes the object and returns it with a final LF.
    pub(super) fn finish(mut self) -> String {
        self.close();
        self.text.push('\n');
        self.text
    }

    fn key(&mut self, key: &str) {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        self.new_line();
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\": ");
    }

    fn close(&mut self) {
        self.depth -= 1;
        if !self.is_first {
            self.new_line();
        }
        self.is_first = false;
        self.text.push('}');
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_nest() {
        let mut json = Json::new();
        json.number("b", 1);
        json.object("a", |json| json.text("c", "d"));
        json.object("e", |_| {});
        let text = json.finish();
        assert_eq!(
            text,
            "{\n  \"b\": 1,\n  \"a\": {\n    \"c\": \"d\"\n  },\n  \"e\": {}\n}\n"
        );
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}
