"""What the conformance tests of CEL share: cases in files of JSON lines, and the programs that are asked about texts."""
import gzip, json, os, subprocess, sys


def read_cases(path):
    """JSON lines, compressed or not."""
    with open(path, "rb") as file:
        data = file.read()
    return [json.loads(line) for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines()]


def ask(build, name, texts, *arguments):
    """What the program build/tests/NAME says of each text."""
    done = subprocess.run([os.path.join(build, "tests", name), *arguments], input=b"".join(b"%d:%s\n" % (len(text), text) for text in texts),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if done.returncode or done.stderr or len(answers) != len(texts):
        sys.exit(f"{name}: status {done.returncode}, {len(answers)} answers to {len(texts)} texts\n{done.stderr.decode()}")
    return answers


def evaluates_alike(said, answer):
    """Whether drawbridge's answer agrees with Kubernetes' on every device: true, false or an error, and the cost. What answered otherwise when it was
    asked again, or took too long, is not compared."""
    return "eval" not in said or "unstable" in said["eval"] or said["eval"] == answer.get("eval")
