"""What was measured becomes figures: a ratio to the bare page of the same run, for an absolute one is no evidence."""

import json
import statistics
from collections.abc import Sequence
from typing import NamedTuple


class Figure(NamedTuple):
    """A figure: what it is of, of which page, its value and the bare page's, in `unit`, and the most it is to be."""

    figure: str
    page: str
    value: float
    bare: float
    unit: str
    most: float | None = None

    @property
    def ratio(self) -> float:
        """The value in units of the bare page's."""
        return self.value / self.bare

    def as_line(self) -> str:
        """The figure as a line of a table, with "ABOVE" where it is more than it is to be."""
        most = "" if self.most is None else f"  at most {self.most}x{'' if self.ratio <= self.most else ': ABOVE'}"
        values = f"{self.value:9.1f} {self.unit:8} bare {self.bare:8.1f}"
        return f"{self.figure:34} {self.page:12} {values}  {self.ratio:6.2f}x{most}"

    def as_json(self) -> str:
        """The figure as a line of JSON."""
        return json.dumps({**self._asdict(), "ratio": round(self.ratio, 3)})


def p50(values: Sequence[float]) -> float:
    """The value that half of them stay below."""
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay below."""
    return sorted(values)[max(0, -(-len(values) * 95 // 100) - 1)]
