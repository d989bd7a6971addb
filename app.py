"""The way in: page settings and the three pages. Run it with `streamlit run app.py`."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from failure13.kept.cookie import VisitorCookie
from failure13.page import bench, explore, learn, session, write

if __name__ == "__main__":
    st.set_page_config("Failure 13 explorer", "🧾", layout="wide")
    session.begin(Path(__file__).parent)
    # Each page draws the way to the others itself: a native navigation would cost at every edit.
    st.navigation(session.pages(learn.page(), explore.page(), write.page()), position="hidden").run()
else:  # imported by `streamlit run`, which serves this same script behind the cookie
    app = st.App(__file__, middleware=[Middleware(VisitorCookie)], routes=bench.ROUTES)
