"""Instructions of the program itself that one review takes, by stage, as valgrind's callgrind counts them. Those of libraries, which differ
from processor to processor, are left out."""
import os, re, subprocess, tempfile

# By the file that holds the code, inlined or not; the first that fits.
STAGES = [
    ("reading: what is like before", r"doc/json_model\.h"),
    ("reading: binding fields", r"object/bind\.c"),
    ("reading: the rest", r"src/doc/|emmintrin|base/arena"),
    ("types, terms", r"src/(object|schema|validate)/"),
    ("walk: passing over", r"check/(skip|alike|looks|shape_summary)\."),
    ("walk", r"check/(walk|cursor|evaluation)"),
    ("rows: CEL", r"src/cel/|rules/cel/|cross/selector|check/(ops_)?expression"),
    ("rows: functions", r"rules/|check/cross"),
    ("rows", r"src/check/"),
    ("formats, quantities", r"src/value/"),
    ("envelope, answer", r"src/review/"),
    ("texts, maps", r"src/base/"),
]


def stage_of(file):
    return next((stage for stage, pattern in STAGES if re.search(pattern, file)), "other")


class Profile:
    """What callgrind writes: after names of object, file and function come lines with costs; the one after calls= is what the call cost, which
    stands at the function called, too."""

    def __init__(self, text, program):
        self.names, self.stages, self.program = {}, {}, program
        self.object = self.file = ""
        is_call = False
        for line in text.splitlines():
            key, _, value = line.partition("=")
            if key in ("ob", "fl", "fi", "fe", "cob", "cfi", "cfl"):
                self.name(key, value)
            elif key == "calls":
                is_call = True
            elif re.fullmatch(r"[+\-*]?\d* \d+", line):
                if not is_call:
                    self.add(int(line.split()[1]))
                is_call = False

    def name(self, key, value):
        """A name is written once, with a number; then the number stands for it."""
        number, _, name = value.partition(" ")
        space = "ob" if key in ("ob", "cob") else "fl"
        if name:
            self.names[space, number] = name
        if key == "ob":
            self.object = self.names[space, number]
        elif key in ("fl", "fi", "fe"):
            self.file = self.names[space, number]

    def add(self, cost):
        if os.path.basename(self.object) == self.program:
            stage = stage_of(self.file)
            self.stages[stage] = self.stages.get(stage, 0) + cost


def count(program, body):
    """All instructions, and those of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=bench_review_once", program, "0", body],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode or not os.path.exists(out):
            raise SystemExit(f"valgrind {program} {body}: status {done.returncode}\n{done.stdout}")
        with open(out, encoding="utf-8") as file:
            profile = Profile(file.read(), os.path.basename(program))
    return sum(profile.stages.values()), profile.stages
