"""The small page with Streamlit, each key sent after 80 ms."""

import streamlit as st

from tests.bench.peers import FIELDS, outcomes

st.text(outcomes(*(st.text_input(name, value, live="80ms") for name, value in FIELDS.items())))
