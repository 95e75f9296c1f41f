"""What was printed, against what a transcript expects."""
import re


def matches(expected, actual):
    """Whether the lines are the same; `...` in an expected line stands for anything in that line."""
    while expected and not expected[-1]:
        expected.pop()  # blank lines between steps
    pattern = "\n".join(".*".join(re.escape(part) for part in line.split("...")) for line in expected)
    return re.fullmatch(pattern, "\n".join(actual)) is not None
