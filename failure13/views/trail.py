"""The audit trail: what ran, charted and listed, to be kept and taken away."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from failure13 import AGENTS, verdicts
from failure13.views import exact

VERDICT_COLORS = dict(zip(verdicts.VERDICTS, ("#2a9d70", "#4f9bd9", "#e0a030", "#cf3f4f", "#8a63c9"), strict=True))
AGENT_COLORS = dict(zip(AGENTS, ("#cf3f4f", "#d18a17", "#2a9d70"), strict=True))
DASHES = {"broken": [1, 0], "fixed": [6, 3], "guarded": [2, 2]}


def show_buttons(
    count: int,
    guards_off: int,
    on_run: Callable[[], None],
    on_run_all: Callable[[], None],
    on_clear: Callable[[], None],
    on_forget: Callable[[], None],
    as_csv: Callable[[], str],
    as_json_lines: Callable[[], str],
) -> None:
    """The heading with the number of runs, and all that can be done with the trail."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.header("Audit trail", anchor=False, width="content")
        st.caption(f"{count} run{'' if count == 1 else 's'}", width="content")
        if guards_off and count:
            st.caption(f"as they would go with {guards_off} guard{'' if guards_off == 1 else 's'} off", width="content")
        st.space("stretch")
        st.button(
            "Run this step",
            type="primary",
            icon=":material/play_arrow:",
            shortcut="Ctrl+Enter",
            on_click=on_run,
            help="Puts what is on screen into the trail",
        )
        st.button("Run all scenarios", on_click=on_run_all)
        with st.popover("Export", icon=":material/download:", disabled=not count):
            st.download_button("CSV", as_csv, "failure13-trail.csv", "text/csv", on_click="ignore")
            st.download_button(
                "JSON lines", as_json_lines, "failure13-trail.jsonl", "application/jsonl", on_click="ignore"
            )
        with st.popover("Clear", icon=":material/delete:"):
            st.write("This deletes every run of the trail, and what waits because of one.")
            st.button("Delete the runs", on_click=on_clear, disabled=not count)
            st.write("This deletes all that is kept of you: edits, runs, lessons and scenarios of your own.")
            st.button("Delete everything of mine", on_click=on_forget)


def show_empty() -> None:
    """What to press while nothing has run."""
    st.caption(
        "Nothing has run yet. Press **Run this step** or Ctrl+Enter to put what is on screen into the trail, "
        "or **Run all scenarios** to see the whole pack at once."
    )


def show_charts(
    money: Sequence[Mapping[str, Any]], counts: Sequence[Mapping[str, Any]], fields: Sequence[Mapping[str, Any]]
) -> None:
    """Wrong money run by run, verdicts per agent, and which fields differed, each with a text of what it shows."""
    left, middle, right = st.columns((4, 4, 3))
    with left:
        st.subheader("Wrong money, run by run", anchor=False)
        last = {point["agent"]: point["amount"] for point in money}
        _chart(_money_spec(money), "Wrong money so far: " + _listed(f"{a} {v:.2f}" for a, v in last.items()))
    with middle:
        st.subheader("Verdicts per agent", anchor=False)
        words = _listed(f"{row['agent']} {row['runs']} {row['verdict']}" for row in counts)
        _chart(_verdict_spec(counts), f"Runs by verdict: {words}")
    with right:
        st.subheader("Fields that differed", anchor=False)
        if fields:
            words = _listed(f"{row['field']} in {row['runs']}" for row in fields)
            _chart(_field_spec(fields), f"Runs in which a field differed: {words}")
        else:
            st.caption("Intent and call have agreed in every run so far.")


def show_table(table: pd.DataFrame) -> None:
    """The runs, newest first."""
    st.dataframe(
        table, hide_index=True, height=min(320, 38 + 35 * len(table)), alt="The runs of the trail, newest first"
    )


def _chart(spec: dict[str, Any], alt: str) -> None:
    st.vega_lite_chart(None, spec, height=210, alt=alt)
    exact.small(alt)


def _listed(words: Any) -> str:
    return ", ".join(words) or "none"


def _money_spec(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    agents = list(AGENT_COLORS)
    return {
        "data": {"values": list(points)},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2.5, "point": {"size": 18}},
        "encoding": {
            "x": {"field": "run", "type": "quantitative", "axis": {"tickMinStep": 1, "format": "d"}, "title": "run"},
            "y": {"field": "amount", "type": "quantitative", "title": "amount", "axis": {"format": ",.2~f"}},
            "color": {
                "field": "agent",
                "type": "nominal",
                "scale": {"domain": agents, "range": list(AGENT_COLORS.values())},
                "legend": {"symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 3},
            },
            "strokeDash": {"field": "agent", "scale": {"domain": agents, "range": list(DASHES.values())}},
        },
    }


def _verdict_spec(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "data": {"values": [{**row, "rank": verdicts.VERDICTS.index(row["verdict"])} for row in counts]},
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "agent", "type": "nominal", "sort": list(AGENTS), "title": None},
            "x": {"field": "runs", "type": "quantitative", "axis": {"tickMinStep": 1, "format": "d"}},
            "color": {
                "field": "verdict",
                "type": "nominal",
                "scale": {"domain": list(VERDICT_COLORS), "range": list(VERDICT_COLORS.values())},
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
