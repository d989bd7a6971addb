"""Panels of the page: each takes plain data and shows it. The only folder that imports streamlit."""
