#!/usr/bin/env python3
"""Objects that chance makes, always the same ones, get the same causes from Kubernetes and from drawbridge, in each version since 1.35 whose oracle is
built, for a minute in all; and a check that is missing is found.

    test_diff_fuzz.py BUILD
"""
import os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
sys.path[:0] = [CONFORMANCE, os.path.dirname(CONFORMANCE)]
import ask
from tap import Tap
from versions import minor_of

SECONDS, MOST, SEED = 60, 12_000, "18"
ORACLES = os.path.join(os.path.dirname(os.path.dirname(CONFORMANCE)), "build-oracle")
# A drawbridge that does not know one of its checks.
FORGETFUL = """#!/usr/bin/env python3
import json, subprocess, sys
done = subprocess.run([%r, *sys.argv[1:]], stdin=sys.stdin if "review" in sys.argv else None, stdout=subprocess.PIPE)
for line in done.stdout.decode().splitlines():
    answer = json.loads(line)
    if "response" in answer and not answer["response"]["allowed"]:
        details = answer["response"]["status"]["details"]
        details["causes"] = [cause for cause in details["causes"] if "[dns-label]" not in cause["message"]]
        answer["response"]["allowed"] = not details["causes"]
        if not details["causes"]:
            del answer["response"]["status"]
    print(json.dumps(answer))
"""


def fuzz(build, version, seconds, *options):
    command = [sys.executable, os.path.join(HERE, "diff_fuzz.py"), "--version", version, "--seconds", str(seconds), *options, build]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


def test_forgetful(tap, build, version):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(build, "tests"), os.path.join(folder, "tests"))
        path = os.path.join(folder, "drawbridge")
        with open(path, "w") as file:
            file.write(FORGETFUL % os.path.join(build, "drawbridge"))
        os.chmod(path, 0o755)
        status, output = fuzz(folder, version, 1, "--count", "1000", "--seed", "1")
    line = re.search(rf"^fuzz-1-\S+\t[^\t]+\t(?:not-asked|denied: ).*\n#   Kubernetes denied: .*\n#   drawbridge ", output, re.M)
    tap.ok(status == 1 and line and len(line[0]) < 1500, f"{version}: a check that is missing is found, and shown as a small case", output[:3000])


def main(build):
    tap = Tap()
    versions = [version for version in ask.Oracles(ORACLES).programs if minor_of(version) >= 35]
    for version in versions:
        status, output = fuzz(build, version, SECONDS / len(versions), "--count", str(MOST // len(versions)), "--seed", SEED)
        tap.ok(status == 0, f"{version}: {output.splitlines()[-1] if output else 'nothing'}, {output.splitlines()[0] if output else ''}", output[:6000])
    test_forgetful(tap, build, versions[-1])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
