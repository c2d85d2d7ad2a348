"""The notebook runs from archives to figures, and says what its figures are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "share-of-hosts.ipynb"
#: Seconds that a cell may take.
PATIENCE = 300

nbformat = pytest.importorskip("nbformat")


def read() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def executed() -> Any:
    """The notebook with its outputs, run in a kernel of this interpreter."""
    nbclient = pytest.importorskip("nbclient")
    for library in ("ipykernel", "pandas"):
        pytest.importorskip(library)
    notebook = read()
    folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
    client = nbclient.NotebookClient(
        notebook, timeout=PATIENCE, kernel_name="python3", resources=folder
    )
    client.execute()
    return notebook


def texts(notebook: Any, cell_with: str) -> str:
    """Returns what the cell with these characters printed and returned."""
    (cell,) = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and cell_with in cell.source.splitlines()[-1]
    ]
    outputs = cell.outputs
    shown = [out.get("text") or out.get("data", {}).get("text/plain", "") for out in outputs]
    return "\n".join(shown)


def test_the_notebook_is_stored_without_outputs() -> None:
    for cell in read().cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
        assert not re.search(r"/(home|root|work|tmp)/", cell.source)


def test_the_interval_is_that_of_the_views(executed: Any) -> None:
    low, high = map(float, re.findall(r"0\.\d+", texts(executed, "wilson(31, 273)")))
    assert (round(low, 4), round(high, 4)) == (0.0812, 0.1567)


def test_there_is_a_figure_by_agent_year_and_top_level_domain(executed: Any) -> None:
    images = [
        out
        for cell in executed.cells
        for out in cell.get("outputs", [])
        if "image/svg+xml" in out.get("data", {})
    ]
    # And the chart of a stored query.
    assert len(images) == 4
    printed = texts(executed, "work.glob")
    assert "['by-agent.svg', 'by-tld.svg', 'by-year.svg']" in printed
    assert re.search(r"n = \d{3} registered domains", printed)


def test_shares_lie_in_their_intervals(executed: Any) -> None:
    rows = re.findall(
        r"^\d+ +(\d{4}) +(\d+) +(\d+) +(\d+) +(\d+)", texts(executed, "by_year"), re.MULTILINE
    )
    assert [row[0] for row in rows] == ["2024", "2026"]
    for _, hosts, hosts_shut, domains, domains_shut in (tuple(map(int, row)) for row in rows):
        assert hosts >= domains > 200
        assert hosts_shut >= domains_shut > 20
        assert domains_shut < domains


def test_figures_that_pool_years_are_noted(executed: Any) -> None:
    assert "Note: fetches span 2024 to 2026" in texts(executed, "by_agent.head(8)")
    assert "fetches span" not in texts(executed, "by_year")


def test_a_flip_is_explained_by_its_lines(executed: Any) -> None:
    evidence = texts(executed, 'print(evidence, end="')
    google, rfc9309 = evidence.split("verdict ")[1:]
    assert google.startswith("  disallow\n") and rfc9309.startswith("  allow\n")
    assert re.search(r"rule      line 9, .*\n +9 \| disalow:/", google)
    assert "basis     no_group" in rfc9309 and "\x1b" not in evidence
    findings = texts(executed, 'print("Findings" +')
    assert "8 | User agent: GPTBot" in findings and "accepted by google" in findings
