"""Counts the rows of predicates with pyarrow: as a scan skips what footers rule out, by counting alone, and over tables that are in memory.

Goes in: a file of JSON with files by table, and predicates. Comes out: for each predicate a line of three numbers.
"""

import json
import operator
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

OPERATORS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def scalar(value, kind):
    """Returns a value of JSON as one of its column's type."""
    if "at" in value:
        return pa.scalar(value["at"], pa.int64()).cast(pa.timestamp("us", "UTC"))
    if "double" in value:
        return pa.scalar(float(value["double"]), pa.float64())
    return pa.scalar(value["is"], kind)


def expression(predicate, schema):
    """Returns a predicate of JSON as an expression."""
    name, *rest = predicate
    if name in ("and", "or"):
        first, second = (expression(part, schema) for part in rest)
        return first & second if name == "and" else first | second
    field, kind = pc.field(rest[0]), schema.field(rest[0]).type
    if name == "null":
        return field.is_null() if rest[1] else field.is_valid()
    if name == "between":
        low, high = (scalar(value, kind) for value in rest[1:])
        return (field >= low) & (field <= high)
    if name == "in":
        return field.isin(pa.array([scalar(value, kind).as_py() for value in rest[1]], kind))
    return OPERATORS[name](field, scalar(rest[1], kind))


def plain(schema):
    """Returns a schema in which texts are texts, however they are encoded."""
    fields = [field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field for field in schema]
    return pa.schema(fields)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        asked = json.load(file)
    tables = {}
    for name, files in asked["tables"].items():
        table = ds.dataset(files, format="parquet")
        table = ds.dataset(files, format="parquet", schema=plain(table.schema))
        tables[name] = table, table.to_table()
    for name, predicate in asked["predicates"]:
        table, in_memory = tables[name]
        where = expression(predicate, table.schema)
        print(table.to_table(filter=where).num_rows, table.count_rows(filter=where), in_memory.filter(where).num_rows)


main()
