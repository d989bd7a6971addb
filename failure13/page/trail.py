"""The audit trail: what ran, charted and listed, to be kept and taken away."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from failure13.agents import AGENTS
from failure13.money import DECIMALS
from failure13.page import exact
from failure13.verdicts import VERDICTS
from failure13.visit import trail
from failure13.visit.runs import Run
from failure13.visit.visit import Visit


def show(visit: Visit) -> None:
    """The trail of what ran: what can be done with it, charts of it, each also in words, and the runs, newest first."""
    runs, off = visit.visitor.trail, len(visit.guards_off)
    if runs:
        exact.style()
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            as_if = f", as they would go with {_counted(off, 'guard')} off" if off else ""
            st.header(f"Audit trail: {_counted(len(runs), 'run')}{as_if}", anchor=False)
            _download("CSV", "csv", "text/csv", partial(trail.to_csv, runs))
            _download("JSON lines", "jsonl", "application/jsonl", partial(trail.to_json_lines, runs))
        _show_runs(runs)
    else:
        st.caption(
            "Nothing has run yet. **Run this step** puts what is on screen here, **Run all scenarios** the pack."
        )


def _download(label: str, ending: str, kind: str, make: Callable[[], str]) -> None:
    icon = ":material/download:"
    st.download_button(label, make, f"failure13-trail.{ending}", kind, icon=icon, on_click="ignore")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _show_runs(runs: Sequence[Run]) -> None:
    left, middle, right = st.columns((4, 4, 3))
    with left:
        st.subheader("Wrong money, run by run", anchor=False)
        money = trail.wrong_money(runs)
        last = {(point["agent"], point["currency"]): point["amount"] for point in money}
        words = _listed(
            f"{agent} {amount:.{DECIMALS[currency]}f} {currency}" for (agent, currency), amount in last.items()
        )
        _chart(_money_spec(money), f"Wrong money so far: {words}")
    with middle:
        st.subheader("Verdicts per agent", anchor=False)
        counts = trail.verdict_counts(runs)
        words = _listed(f"{row['agent']} {row['runs']} {row['verdict']}" for row in counts)
        _chart(_verdict_spec(counts), f"Runs by verdict: {words}")
    with right:
        st.subheader("Fields that differed", anchor=False)
        fields = trail.differing_fields(runs)
        if fields:
            words = _listed(f"{row['field']} in {row['runs']}" for row in fields)
            _chart(_field_spec(fields), f"Runs in which a field differed: {words}")
        else:
            st.caption("Intent and call have agreed in every run so far.")
    table = trail.table(runs)
    st.dataframe(  # pyright: ignore[reportUnknownMemberType]
        table, hide_index=True, height=min(320, 38 + 35 * len(table)), alt="The runs of the trail, newest first"
    )


def _chart(spec: dict[str, Any], alt: str) -> None:
    st.vega_lite_chart(None, spec, height=210, alt=alt)  # pyright: ignore[reportUnknownMemberType]
    exact.small(alt)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def _money_spec(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A line per agent; where several currencies were met, which nobody may add up, a row of lines for each."""
    currencies = list(dict.fromkeys(point["currency"] for point in points))
    encoding: dict[str, Any] = {
        "x": {"field": "run", "type": "quantitative", "axis": {"tickMinStep": 1, "format": "d"}, "title": "run"},
        "y": {
            "field": "amount",
            "type": "quantitative",
            "title": "amount" if len(currencies) > 1 else f"amount, {currencies[0]}",
            "axis": {"format": ",.2~f"},
        },
        "color": {
            "field": "agent",
            "type": "nominal",
            "scale": {"domain": list(AGENTS), "range": [agent.color for agent in AGENTS.values()]},
            "legend": {"symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 3},
        },
        "strokeDash": {
            "field": "agent",
            "scale": {"domain": list(AGENTS), "range": [list(agent.dash) for agent in AGENTS.values()]},
        },
    }
    spec: dict[str, Any] = {
        "data": {"values": list(points)},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5, "point": {"size": 18}},
        "encoding": encoding,
    }
    if len(currencies) > 1:
        encoding["row"] = {"field": "currency", "type": "nominal", "title": None}
        spec["resolve"] = {"scale": {"y": "independent"}}
        spec["height"] = max(40, 120 // len(currencies))
    return spec


def _verdict_spec(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "data": {"values": [{**row, "rank": list(VERDICTS).index(row["verdict"])} for row in counts]},
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "agent", "type": "nominal", "sort": list(AGENTS), "title": None},
            "x": {"field": "runs", "type": "quantitative", "axis": {"tickMinStep": 1, "format": "d"}},
            "color": {
                "field": "verdict",
                "type": "nominal",
                "scale": {"domain": list(VERDICTS), "range": [verdict.color for verdict in VERDICTS.values()]},
            },
            "order": {"field": "rank", "type": "quantitative"},
        },
    }


def _field_spec(fields: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "data": {"values": list(fields)[:8]},
        "mark": {"type": "bar", "color": "#4f9bd9"},
        "encoding": {
            "y": {"field": "field", "type": "nominal", "sort": None, "title": None},
            "x": {"field": "runs", "type": "quantitative", "axis": {"tickMinStep": 1, "format": "d"}},
        },
    }
