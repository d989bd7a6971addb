"""Outcomes as the rows that a card shows."""

from failure13 import Ledger, Step, cells, grid, person
from failure13.limits import LIMITS
from failure13.replay import Outcome, replay
from failure13.runs import Run
from failure13.scenarios import Scenario
from failure13.verdicts import PAID_AS_OWED, RIGHTLY_STOPPED

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]  # caption, header, rows


def problems(outcome: Outcome, step: Step) -> list[Table]:
    """What an agent named: the guarded one the objections to a first answer, any other the fields that differ."""
    objections = outcome.record.get("objections")
    if objections is not None:  # those to its last answer are in its message
        return [("First answer", ("guard", "objection"), list(each.items())) for each in objections[:-1]]
    if outcome.problems:
        return [("Problems it named", ("field", "intended", "did"), list(grid.differences(step)))]
    return []


def ledger(rows: Ledger, before: int) -> Table:
    """A ledger of which the first `before` rows were there before the step."""
    caption = f"Ledger, {before} before and {len(rows)} after"
    further = any(len(row) > 2 for row in rows)
    return (
        caption,
        ("row", "order", "amount", *(["further arguments"] if further else [])),
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


def second_answer(outcome: Outcome, step: Step) -> str:
    """The retry that the guarded agent asked for, as text, or nothing where it did not ask."""
    retry = step.get("retry")
    if retry is None or len(outcome.record.get("objections", [])) < 2:
        return ""
    return "\n".join(f"{side}: {cells.as_sent(retry[side])}" for side in grid.SIDES)


def limit(scenario: Scenario, outcome: Outcome) -> tuple[str, str] | None:
    """The limit of the article's fix that an outcome shows, as (name, reason), where its scenario is about one.

    Two limits lie in what a right answer leaves open, so they hold whatever the verdict; the others in a wrong verdict.
    """
    if scenario.limit is None:
        return None
    if outcome.verdict in (PAID_AS_OWED, RIGHTLY_STOPPED) and scenario.limit not in (
        "free text",
        "a block goes nowhere",
    ):
        return None
    return scenario.limit, LIMITS[scenario.limit][0]


def waiting(run: Run, trail: list[Run]) -> tuple[str, str, str, str, list[str], bool]:
    """What waits for a person: a mark no other has, title, said, call, objections, and whether a call can be read."""
    outcome = run.outcomes["guarded"]
    number = next((number for number, each in enumerate(trail, start=1) if each.steps is run.steps), 0)
    call = person.shown_call(outcome)
    return (
        str(id(run)),
        f"{f'Run {number}: ' if number else ''}{run.scenario.title}, step {run.index + 1} of {len(run.scenario.steps)}",
        run.step["said"],
        cells.as_sent(call),
        outcome.problems,
        not grid.unreadable({**run.step, "intent": {}, "do": call}),
    )


def owed(step: Step) -> str:
    """The right payment in words, "20.0 on A100"; what the outcomes are held against and no agent sees."""
    if step["owed"] is None:
        return "nothing"
    order_id, amount, further = step["owed"]["order_id"], step["owed"]["amount"], dict(step["owed"])
    del further["order_id"], further["amount"]
    return f"{amount} on {order_id}" + "".join(f", {field} {cells.as_sent(value)}" for field, value in further.items())


def overview(scenario: Scenario) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """What each agent does with each step of a scenario, as (header, rows)."""
    outcomes = replay(scenario)
    rows = [
        (f"{index + 1}", agent, outcome.verdict, outcome.message)
        for index in range(len(scenario.steps))
        for agent, outcome in ((agent, of_agent[index]) for agent, of_agent in outcomes.items())
    ]
    return ("step", "agent", "verdict", "message"), rows
