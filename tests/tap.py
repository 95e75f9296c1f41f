"""The Test Anything Protocol, as far as tests here need it: numbered lines, then the plan."""
import sys


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def ok(self, condition, text, detail=None):
        """One test. `detail`, if any, is printed as a comment when it fails. Returns whether it passed."""
        self.count += 1
        self.failed += not condition
        print(f"{'ok' if condition else 'not ok'} {self.count} - {text.replace('#', chr(92) + '#')}", flush=True)
        if not condition and detail is not None:
            print("\n".join("# " + line for line in str(detail).splitlines()), flush=True)
        return bool(condition)

    def equal(self, got, want, text):
        return self.ok(got == want, text, f"got  {got!r}\nwant {want!r}")

    def done(self):
        """Prints the plan. Returns the exit status of the program."""
        print(f"1..{self.count}", flush=True)
        sys.stdout.flush()
        return 1 if self.failed else 0
