"""The pages: each puts its panels together from what the visitor has done and what the model makes of it."""
