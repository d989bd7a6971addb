"""What lasts: what visitors did, kept in a file, and the cookie by which a browser is known again."""
