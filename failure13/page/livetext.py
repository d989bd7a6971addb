"""A text area that answers while it is typed in, which Streamlit's own does only when it is left."""

from collections.abc import Callable
from typing import Any

import streamlit as st
import streamlit.components.v2 as components

# Not to be typed in until its script has put the text there, which would take the place of what was typed.
HTML = '<label>The scenario\'s file<textarea readonly spellcheck="false" autocomplete="off"></textarea></label>'
CSS = """
label { display: block; font: 0.875rem var(--st-font); color: var(--st-text-color); }
textarea {
  display: block; box-sizing: border-box; width: 100%; height: 34rem; resize: vertical; margin-top: 0.25rem;
  padding: 0.6rem; font: 0.8125rem/1.5 var(--st-code-font); color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius);
}
textarea:focus-visible { outline: 2px solid var(--st-primary-color); }
"""
# What was typed and has not come back is kept in the browser's tab: it outlives a reload and a server that was away.
JS = """
const KEPT = "failure13.writing";
export default function ({ data, parentElement, setStateValue }) {
  const area = parentElement.querySelector("textarea");
  const wait = (time) => {
    clearTimeout(area.waiting);
    if (time) area.waiting = setTimeout(send, time);
  };
  const send = () => {
    setStateValue("text", area.value);
    wait(area.value === data.text ? 0 : 3000); // again, for as long as the server does not answer
  };
  if (!area.dataset.begun) {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    area.value = kept.key === data.key ? kept.text : data.text;
    area.dataset.begun = "yes";
    area.readOnly = false;
    if (area.value !== data.text) send();
  }
  if (area.value === data.text) {
    wait(0);
    sessionStorage.removeItem(KEPT);
  }
  area.oninput = () => {
    wait(150);
    sessionStorage.setItem(KEPT, JSON.stringify({ key: data.key, text: area.value }));
  };
  area.onblur = send;
  return () => wait(0);
}
"""

_area = components.component("failure13.livetext", html=HTML, css=CSS, js=JS)


def show(key: str, text: str, on_text: Callable[[str], None]) -> None:
    """A text area that begins with `text`; with another `key` it is another one, and begins anew."""

    def take() -> None:
        state: Any = st.session_state[key]
        on_text(state["text"])

    found: Any = _area(key=key, data={"text": text, "key": key}, default={"text": text}, on_text_change=take)
    if found["text"] != text:  # typed while the server was away: to a session that is new, it is no change
        on_text(found["text"])
        st.rerun()
