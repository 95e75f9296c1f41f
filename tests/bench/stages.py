"""Instructions that one review takes, by stage, as callgrind counts them. Other load does not change them."""
import os, re, subprocess, tempfile

# By the file that holds the code, inlined or not; the first that fits. A C library's function counts where it was called.
STAGES = [
    ("like before", r"doc/json_model\.h"),
    ("binding", r"object/bind\.c"),
    ("reading", r"doc/|emmintrin|base/arena"),
    ("types", r"object/|schema/|validate/"),
    ("passing over", r"check/(skip|alike|looks|shape_summary)\."),
    ("walk", r"check/(walk|cursor|evaluation)"),
    ("CEL", r"src/cel/|rules/cel/|cross/selector|check/ops_expression|check/expression"),
    ("cross rules", r"rules/|check/cross"),
    ("rows", r"check/"),
    ("values", r"src/value/|pcre"),
    ("envelope", r"src/review/"),
    ("names, texts", r"src/base/"),
]
LIBRARY = re.compile(r"/libc\.so|/libpcre|ld-linux|vgpreload|\?\?\?|sysdeps|/string/|/malloc/")


def stage_of(file):
    return next((stage for stage, pattern in STAGES if re.search(pattern, file)), "other")


class Profile:
    """What callgrind writes: costs of lines, and of calls, which include what was called."""

    def __init__(self, text):
        self.names, self.stages, self.total = {}, {}, 0
        self.objects = self.file = self.function = self.called_object = self.called_file = ""
        self.is_library, self.in_library = False, False
        call = False
        for line in text.splitlines():
            key, _, value = line.partition("=")
            if key in ("fl", "fi", "fe", "fn", "ob", "cfi", "cfl", "cfn", "cob"):
                self.name(key, value)
            elif key == "calls":
                call = True
            elif re.match(r"[+\-*0-9]", line) and len(line.split()) == 2:
                self.cost(int(line.split()[1]), call)
                call = False

    def name(self, key, value):
        number, _, name = value.partition(" ")
        kind = {"cob": "ob", "cfn": "fn"}.get(key, "fl" if key != "fn" and key != "ob" else key)
        if name:
            self.names[kind, number] = name
        name = self.names[kind, number]
        if key == "ob":
            self.objects = name
        elif key == "fl":
            self.file = self.function = name
            self.called_object = self.called_file = ""
        elif key in ("fi", "fe"):
            self.file = name
        elif key == "cob":
            self.called_object = name
        elif key in ("cfi", "cfl"):
            self.called_file = name
        elif key == "fn":
            self.in_library = bool(LIBRARY.search(self.objects))
        elif key == "cfn":
            self.is_library = bool(LIBRARY.search(self.called_object or self.objects))
            self.called_object = ""

    def cost(self, cost, call):
        if self.in_library or (call and (not self.is_library or "?" in self.file)):
            self.total += 0 if call else cost
            return
        self.total += 0 if call else cost
        stage = stage_of(self.file)
        self.stages[stage] = self.stages.get(stage, 0) + cost


def count(program, body):
    """All instructions, and those of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind.out")
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=bench_review_once", program, "0", body], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as file:
            profile = Profile(file.read())
    return profile.total, profile.stages
