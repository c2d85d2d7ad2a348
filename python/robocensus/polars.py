"""Decisions in polars: the namespace ``robots`` of expressions.

Importing this module registers it::

    import robocensus.polars
    frame.with_columns(
        pl.col("body").robots.can_fetch("GPTBot", pl.col("url")).alias("may_fetch")
    )
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

# An absolute import: this module has the name of the package that it imports.
import polars as pl

from ._native import decide_rows

if TYPE_CHECKING:
    from ._native import Dialect

__all__ = ["RobotsExpressions"]


@pl.api.register_expr_namespace("robots")
class RobotsExpressions:
    """Decisions about a column of bodies, of type Binary or String.

    `agent` and `url` are texts or expressions; null gives null.
    """

    def __init__(self, body: pl.Expr) -> None:
        self._body = body

    def can_fetch(
        self, agent: str | pl.Expr, url: str | pl.Expr, dialect: str | Dialect = "google"
    ) -> pl.Expr:
        """Returns whether a crawler may fetch a URL, a Boolean."""
        return self.verdict(agent, url, dialect) == "allow"

    def verdict(
        self, agent: str | pl.Expr, url: str | pl.Expr, dialect: str | Dialect = "google"
    ) -> pl.Expr:
        """Returns ``"allow"``, ``"disallow"`` or ``"undefined"``, a String."""
        return self._decided(agent, url, dialect, "verdict", pl.String())

    def rule_line(
        self, agent: str | pl.Expr, url: str | pl.Expr, dialect: str | Dialect = "google"
    ) -> pl.Expr:
        """Returns the number of the line that decided, an Int32; null where none did."""
        return self._decided(agent, url, dialect, "rule_line", pl.Int32())

    def _decided(
        self, agent: Any, url: Any, dialect: Any, column: str, kind: pl.DataType
    ) -> pl.Expr:
        columns = [self._body, *(_expression(value) for value in (agent, url))]

        def decide(series: Any) -> pl.Series:
            # A literal is a column of one row.
            lengths = {len(values) for values in series} - {1}
            rows = max(lengths, default=1)
            body, agent, url = (
                values.new_from_index(0, rows) if len(values) == 1 else values for values in series
            )
            decided = decide_rows(body, agent, url, dialect)
            return pl.Series(decided[column]).cast(kind)

        return pl.map_batches(columns, decide, return_dtype=kind)


def _expression(value: Any) -> pl.Expr:
    return pl.lit(value) if isinstance(value, str) else value
