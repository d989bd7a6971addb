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
JS = """
export default function ({ data, parentElement, setStateValue }) {
  const area = parentElement.querySelector("textarea");
  if (!area.dataset.begun) {
    area.value = data.text;
    area.dataset.begun = "yes";
    area.readOnly = false;
  }
  let waiting;
  area.oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => setStateValue("text", area.value), 150);
  };
  area.onblur = () => {
    clearTimeout(waiting);
    setStateValue("text", area.value);
  };
  return () => clearTimeout(waiting);
}
"""

_area = components.component("failure13.livetext", html=HTML, css=CSS, js=JS)


def show(key: str, text: str, on_text: Callable[[str], None]) -> None:
    """A text area that begins with `text`; with another `key` it is another one, and begins anew."""

    def take() -> None:
        state: Any = st.session_state[key]
        on_text(state["text"])

    _area(key=key, data={"text": text}, default={"text": text}, on_text_change=take)
