"""The address under which others reach the page that is on screen."""

import os

import streamlit as st


def of_the_page() -> str:
    """The address that a link begins with: FAILURE13_URL, else what a proxy in front was asked for, else this one."""
    named = os.environ.get("FAILURE13_URL", "").rstrip("/")
    if named:
        return f"{named}/"
    headers = st.context.headers
    host, scheme = headers.get("X-Forwarded-Host"), headers.get("X-Forwarded-Proto", "http")
    if host:
        return f"{scheme.partition(',')[0].strip()}://{host.partition(',')[0].strip()}/"
    return f"{str(st.context.url).partition('?')[0].rstrip('/')}/"
