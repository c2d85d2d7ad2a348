"""Holds figures against figures, one by one.

Goes in: rows as a recount expects them, and as the program gives them. Comes out: a line on standard output for each figure that differs, and at
the end how many were compared.
"""

from counts import Share

_ABSENT = "(no row)"


class Result:
    """What was compared so far."""

    def __init__(self):
        self.figures = 0
        self.differing = 0
        self.queries = set()
        self.left_out = {}

    def compare(self, query, options, expected, found):
        """Compares the rows of one query; columns that are not expected are noted, and rows must be the same ones."""
        name = " ".join([query.name, *(f"{name}={value}" for name, value in options.items())])
        self.queries.add(query.name)
        found = query.adapt(found) if query.adapt else found
        expected = _by_key(name, expected, query.keys)
        found = _by_key(name, found, query.keys)
        for key in {**expected, **found}:
            if key not in found or key not in expected:
                self._figure(name, "row", key, _some(expected.get(key)), _some(found.get(key)), False)
                continue
            for column, value in expected[key].items():
                shown = found[key].get(column, "(no column)")
                self._figure(name, column, key, value, shown, _is_same(value, shown))
            self.left_out.setdefault(query.name, set()).update(found[key].keys() - expected[key].keys())

    def compare_summary(self, expected, found):
        """Compares figures of the run's summary, given by the names that lead to them."""
        for names, value in expected.items():
            shown = found
            for name in names:
                shown = shown.get(name, "(no figure)") if isinstance(shown, dict) else "(no figure)"
            self._figure("summary", ".".join(names), (), value, shown, _is_same(value, shown))

    def end(self):
        """Prints the outcome and returns the exit code."""
        for name, columns in sorted(self.left_out.items()):
            if columns:
                print(f"not recounted: {name}: {', '.join(sorted(columns))}")
        print(f"{self.figures} figures of {len(self.queries)} queries and of the summary compared, {self.differing} differ")
        return 1 if self.differing or not self.figures else 0

    def _figure(self, name, column, key, expected, found, is_same):
        self.figures += 1
        if not is_same:
            self.differing += 1
            print(f"{name}: {column} of {'/'.join(map(str, key)) or 'all'}: expected {expected}, found {found}")


def _is_same(expected, found):
    if isinstance(expected, Share):
        return isinstance(found, (int, float, type(None))) and expected.is_shown_as(found)
    if isinstance(expected, float):
        return isinstance(found, (int, float)) and abs(expected - found) < 1e-9
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def _by_key(name, rows, keys):
    found = {}
    for row in rows:
        key = tuple(row[key] for key in keys)
        if key in found:
            raise ValueError(f"{name}: two rows of {key}")
        found[key] = row
    return found


def _some(row):
    return _ABSENT if row is None else ", ".join(f"{column}={value}" for column, value in list(row.items())[:6])
