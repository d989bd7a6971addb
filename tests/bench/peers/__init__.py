"""The same small page with other libraries: three fields, and below them what each agent does, live."""

from pathlib import Path

from failure13.replay import replay
from failure13.scenarios import load_all

ROOT = Path(__file__).parents[3]

SCENARIO = load_all(ROOT / "scenarios")[0][0]
FIELDS = {"said": SCENARIO.steps[0]["said"], "intent amount": "20.0", "do amount": "200.0"}


def outcomes(said: str, intent: str, do: str) -> str:
    """What each agent does with the first scenario once these were typed, a line each."""
    step = dict(SCENARIO.steps[0])
    try:
        amounts = {"intent": float(intent), "do": float(do)}
    except ValueError:
        return "no amount"
    sides = {side: {**step[side], "amount": amount} for side, amount in amounts.items()}
    found = replay(SCENARIO, [{**step, "said": said, **sides}])
    return "\n".join(f"{agent}: {of_agent[0].verdict}: {of_agent[0].message}" for agent, of_agent in found.items())
