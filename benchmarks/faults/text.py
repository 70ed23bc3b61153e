"""Tallies → text. Formats only."""

from collections.abc import Mapping

from benchmarks.faults.tally import WINDOW_SECONDS, Tally

NAMES = {"ours": "Tandem", "theirs": "ray.serve.llm:build_pd_openai_app"}


def side_text(side: str, tally: Tally) -> str:
    """A table with one row for each window, and what failed."""
    lines = [NAMES[side], "seconds    answered/s  answered  failed  prefill killed"]
    for window in tally.windows:
        span = f"{window.begin:.0f}–{window.begin + WINDOW_SECONDS:.0f}"
        rate = window.answered / WINDOW_SECONDS
        lines.append(f"{span:9}  {rate:10.2f}  {window.answered:8}  {window.failed:6}  {window.killed:14}")
    lines.append(f"first minute {tally.first_minute:.2f}/s, last minute {tally.last_minute:.2f}/s")
    if tally.slowest is not None:
        lines.append(f"slowest right answer {tally.slowest:.1f} s")
    lines += [f"failed: {kind}: {count}" for kind, count in tally.failures.items()]
    return "\n".join(lines)


def last_line(tallies: Mapping[str, Tally]) -> str:
    """Failed and total requests of each side."""
    parts = [f"{side} {tally.failed} of {tally.total}" for side, tally in tallies.items()]
    return f"failed requests: {', '.join(parts)}"
