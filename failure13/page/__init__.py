"""What is seen: the pages and the panels that they are put together from. The only room that imports streamlit."""
