//! A choice of items that is spread over the whole of their list.

use std::{collections::HashSet, hash::Hash};

use ahash::RandomState;

/// Items at the end that are chosen before those in between: a parser that stops early may miss no
/// more than a few.
const AT_THE_END: usize = 8;

/// Returns the indexes of at most `max` items: all of them, in their order, or a choice from the
/// whole list, of which each beginning is one too. The first and the last of each kind come first,
/// then the last few, then the item in the middle, those at quarters, and so on.
pub(super) fn spread<T, K: Eq + Hash>(
    items: &[T],
    max: usize,
    kind: impl Fn(&T) -> K,
) -> Vec<usize> {
    if items.len() <= max {
        return (0..items.len()).collect();
    }
    let mut kinds: HashSet<K, RandomState> = HashSet::default();
    let mut chosen = Vec::with_capacity(max);
    let mut is_chosen = vec![false; items.len()];
    let mut choose = |index: usize| {
        if chosen.len() < max && !std::mem::replace(&mut is_chosen[index], true) {
            chosen.push(index);
        }
        chosen.len() < max
    };
    choose(0);
    choose(items.len() - 1);
    let first_of_kind = (0..items.len()).filter(|&index| kinds.insert(kind(&items[index])));
    let first_of_kind: Vec<usize> = first_of_kind.collect();
    kinds.clear();
    let last_of_kind = (0..items.len()).rev();
    let last_of_kind = last_of_kind.filter(|&index| kinds.insert(kind(&items[index])));
    let at_the_end = (items.len().saturating_sub(AT_THE_END)..items.len()).rev();
    for index in first_of_kind
        .into_iter()
        .chain(last_of_kind)
        .chain(at_the_end)
    {
        choose(index);
    }
    let mut parts = 2;
    loop {
        for part in (1..parts).step_by(2) {
            if !choose(part * items.len() / parts) {
                return chosen;
            }
        }
        parts *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_each_kind_and_every_part_are_chosen() {
        let items: Vec<usize> = (0..1_000).collect();
        let kind = |&item: &usize| (300..303).contains(&item);
        let chosen = spread(&items, 50, kind);
        assert_eq!(&chosen[..6], [0, 999, 300, 302, 998, 997]);
        let distinct: HashSet<usize> = chosen.iter().copied().collect();
        assert_eq!((chosen.len(), distinct.len()), (50, 50));
        for part in 0..16 {
            let indexes = part * 63..(part + 1) * 63;
            assert!(chosen.iter().any(|index| indexes.contains(index)), "{part}");
        }
        // A beginning of the choice is a smaller choice.
        assert_eq!(spread(&items, 20, kind), chosen[..20]);
        assert_eq!(spread(&items, 1_000, kind), items);
        for max in 0..4 {
            assert_eq!(spread(&items, max, kind).len(), max);
        }
    }
}
