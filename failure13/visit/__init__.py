"""What a visitor does, as plain data: edits, runs, decisions, lessons, links. Nothing here draws or stores."""
