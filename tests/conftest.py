import os
import tempfile
from pathlib import Path

from hypothesis import settings

# What tests do on the page is kept for the tests alone.
os.environ["FAILURE13_STORE"] = str(Path(tempfile.mkdtemp(prefix="failure13-")) / "visitors.sqlite3")

settings.register_profile("failure13", deadline=None)
settings.load_profile("failure13")
