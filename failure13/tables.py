"""Outcomes as the rows that a card shows."""

from failure13 import Ledger, Step, cells, grid
from failure13.replay import Outcome

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]  # caption, header, rows


def problems(outcome: Outcome, step: Step) -> list[Table]:
    """What an agent named: the guarded one its guards' objections to each answer, any other the fields that differ."""
    objections = outcome.record.get("objections")
    if objections is not None:
        names = ("First answer", "Second answer") if len(objections) > 1 else ("Objections",)
        return [
            (name, ("guard", "objection"), list(by_guard.items()))
            for name, by_guard in zip(names, objections, strict=True)
            if by_guard
        ]
    if outcome.problems:
        return [("Problems it named", ("field", "intended", "did"), list(grid.differences(step)))]
    return []


def ledger(rows: Ledger, before: int) -> Table:
    """A ledger of which the first `before` rows were there before the step."""
    caption = f"Ledger, {before} before and {len(rows)} after"
    further = any(len(row) > 2 for row in rows)
    return (
        caption,
        ("", "order", "amount", *(["further arguments"] if further else [])),
        [
            (
                "new" if number >= before else "before",
                cells.write(row[0]),
                cells.write(row[1]),
                *([cells.literal(row[2]) if len(row) > 2 else ""] if further else []),
            )
            for number, row in enumerate(rows)
        ],
    )
