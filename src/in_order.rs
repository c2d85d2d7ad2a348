//! Objects of JSON in the order of their text; a map of serde_json would sort them by name.

use std::{fmt, marker::PhantomData};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Reads the names and values of an object.
pub(crate) fn in_order<'de, K, V, D>(deserializer: D) -> Result<Vec<(K, V)>, D::Error>
where
    K: Deserialize<'de>,
    V: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_map(Members(PhantomData))
}

struct Members<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Members<K, V> {
    type Value = Vec<(K, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
