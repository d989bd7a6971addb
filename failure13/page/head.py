"""The head of the pages that are not the bench: what this is, and the way to the other pages by name."""

import streamlit as st


def show() -> None:
    """The name of the explorer and a link to each page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="f13-pages"):
        st.markdown("**Failure 13**", width="content")
        for page in st.session_state.get("pages", ()):
            st.page_link(page, width="content")
