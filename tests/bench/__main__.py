"""All of the figures: `python -m tests.bench`, as lines of JSON with `--json`."""

import sys
import tempfile
from pathlib import Path

from tests.bench import bench_browser, bench_room
from tests.bench.servers import echo_and_explorer


def main() -> None:
    """Measure, and print each figure as soon as it is there."""
    with tempfile.TemporaryDirectory() as folder, echo_and_explorer(Path(folder)) as (echo, explorer):
        for bench in (bench_browser, bench_room):
            for figure in bench.measure(echo, explorer):
                print(figure.as_json() if "--json" in sys.argv else figure.as_line(), flush=True)


if __name__ == "__main__":
    main()
