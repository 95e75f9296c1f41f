#!/usr/bin/env python3
"""The verdict of every conformance case is what Kubernetes decides, in each version whose oracle is built; and `make oracle` answers, adds
and refuses.

    test_oracle.py BUILD
"""
import os, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(CONFORMANCE))
sys.path[:0] = [CONFORMANCE, os.path.dirname(CONFORMANCE)]
import ask
import cases
from tap import Tap

ORACLES = os.path.join(ROOT, "build-oracle")
NEWER_NOT_ASKED = f"{cases.NEWER[0]}-{cases.NEWER[-1]} not-asked"
CLAIM = """# A claim as users write them.
---
kind: ResourceClaim
apiVersion: resource.k8s.io/v1
metadata: {name: train, namespace: default}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {count: %s, allocationMode: ExactCount, deviceClassName: gpu.acme.dev}
"""

REFUSED = [  # (arguments, what is said)
    ([], "CASE is missing"),
    (["none.yaml"], "no such file: none.yaml"),
    (["two.yaml"], "two.yaml: 2 objects"),
    (["empty.yaml"], "empty.yaml: 0 objects"),
    (["broken.yaml"], "broken.yaml: "),
    (["list.yaml"], "list.yaml: not an object with apiVersion and kind"),
    (["claim spec.x=y"], "not a case: no JSON value: 'y'"),
    (["claim spec.x"], "not a case: not understood: 'spec.x'"),
    (["--op", "delete", "claim.yaml"], "OP is 'delete'"),
    (["--op", "update", "claim.yaml"], "OP=update needs an older object"),
    (["--op", "status", "claim.yaml"], "OP=status needs an older object"),
    (["--op", "create", "--old", "claim.yaml", "claim.yaml"], "OP=create has no older object"),
    (["--old", "none.yaml", "claim.yaml"], "no such file: none.yaml"),
    (["--old", "claim.yaml", "claim"], "OLD and OP are for manifests"),
]


def test_verdicts(tap, oracles):
    """One test for each case and version."""
    asked = list(cases.read())
    for version in oracles.programs:
        for case, answer in zip(asked, oracles.decide(version, asked)):
            kept, found = cases.verdict_of(case, version), cases.in_version(ask.as_verdict(answer), version)
            if kept["outcome"] != "not-asked":
                tap.ok(cases.same(kept, found), f"{version}: {case['id']} is {kept['outcome']}",
                       f"kept   {cases.verdict_text(kept)}\nanswer {cases.verdict_text(found)}")
    print(f"# measured: {len(asked)} cases in " + ", ".join(oracles.name(version) for version in oracles.programs))


class Asker:
    """Runs ask.py on a copy of the cases, with the oracle of 1.35 alone."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        shutil.copytree(cases.FOLDER, os.path.join(folder, "cases"))
        os.mkdir(os.path.join(folder, "oracles"))
        os.symlink(os.path.join(ORACLES, "oracle-1.35"), os.path.join(folder, "oracles", "oracle-1.35"))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)
        return name

    def line(self, kind, name):
        with open(os.path.join(self.folder, "cases", kind + ".tsv")) as lines:
            return next((line.rstrip("\n") for line in lines if line.startswith(name + "\t")), None)

    def __call__(self, *arguments):
        """(exit status, output, what it says on stderr)"""
        command = [sys.executable, os.path.join(CONFORMANCE, "ask.py"), "--oracles", "oracles", "--build", self.build, *arguments]
        env = dict(os.environ, CASES_FOLDER=os.path.join(self.folder, "cases"))
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr


def test_answers(tap, asker):
    asker.write("count.yaml", CLAIM % -1)
    status, output, _ = asker("count.yaml")
    denial = "\n".join(["Kubernetes 1.35.4: denied", "  spec.devices.requests[0].exactly.count  FieldValueInvalid",
                        "    Invalid value: -1: must be greater than zero"])
    tap.ok(status == 0 and output.startswith(denial), "a manifest is denied, with field, reason and message", output)
    tap.ok("  drawbridge agrees\n" in output, "drawbridge agrees", output)
    tap.ok(f"not asked: {', '.join(cases.OTHERS)} " in output, "the versions without an oracle are named", output)
    tap.ok(asker.line("resourceclaim", "count") is None, "without ADD nothing is written")
    status, output, _ = asker("--id", "dup", 'status: allocated status.allocation.nodeSelector.repeated={"a":1,"a":2} <- allocated')
    tap.ok("status.allocation.nodeSelector.repeated: unknown, and dropped" in output, "a case in words; unknown fields are named", output)
    status, output, _ = asker("claim spec.devices={}")
    tap.ok(status == 0 and "\nID\tclaim spec.devices={}\tallowed" in output, "a case in words without a name", output)
    status, output, _ = asker("status: storageclass <- storageclass")
    tap.ok(status == 0 and "not-served (there is no status subresource of storageclasses)" in output, "a kind without a status", output)
    asker.write("pool.yaml", "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourcePoolStatusRequest\nmetadata: {name: a}\n")
    status, output, errors = asker("pool.yaml")
    good = status == 2 and "1.35.4: not-served" in output and "has no ResourcePoolStatusRequest to make it from" in errors
    tap.ok(good, "a kind without a base", errors)
    asker.write("other.json", '{"apiVersion":"resource.k8s.io/v9","kind":"ResourceClaim","metadata":{"name":"a"}}')
    status, output, _ = asker("other.json")
    tap.ok(status == 0 and "Kubernetes 1.35.4: not-served (no kind" in output, "an unknown version of the API", output)


def test_added(tap, asker):
    new, old = asker.write("new.yaml", CLAIM % 2), asker.write("old.yaml", CLAIM % 1)
    status, output, errors = asker("--old", old, "--id", "count-changed", "--add", new)
    line = asker.line("resourceclaim", "count-changed")
    verdicts = ["denied: spec FieldValueInvalid", "1.34 not-asked | " + NEWER_NOT_ASKED]
    tap.ok(status == 0 and line and line in output and line.split("\t")[2:] == verdicts, "an update is added", f"{line}\n{output}{errors}")
    tap.ok(asker("--old", old, "--id", "count-changed", "--add", new)[0] == 0, "the same again is added again")
    status, _, errors = asker("--id", "count-changed", "--add", new)
    tap.ok(status == 2 and "count-changed is another case in" in errors, "another case of that name is refused", errors)
    status, _, errors = asker("--add", "claim spec.devices.requests=[]")
    tap.ok(status == 2 and "ID=NAME" in errors, "a case in words needs a name to be added", errors)
    status, output, errors = asker("--old", old, "--op", "status", new)
    good = status == 0 and "\nnew\tstatus: " in output and "\tallowed\t" in output
    tap.ok(good, "an update of the status keeps the spec", output + errors)


def test_all(tap, asker):
    path = os.path.join(asker.folder, "cases", "csidriver.tsv")
    with open(path, "a") as file:
        file.write("by-hand\tcsidriver spec.fsGroupPolicy=\"Files\"\tnot-asked\t-\n")
    status, output, errors = asker("--all")
    line = asker.line("csidriver", "by-hand")
    verdicts = "\tdenied: spec.fsGroupPolicy FieldValueNotSupported\t1.32-1.34 not-asked | " + NEWER_NOT_ASKED
    tap.ok(status == 0 and line.endswith(verdicts), "a line by hand gets its verdict", f"{line}\n{errors}")
    tap.ok(output.endswith(" 1 lines changed\n"), "no other line is changed", output)
    with open(path) as file:
        lines = file.read().splitlines()[1:]
    tap.equal(lines, sorted(lines, key=lambda line: line.split("\t")[0]), "the file is sorted")


def test_refused(tap, asker):
    asker.write("claim.yaml", CLAIM % 1)
    asker.write("two.yaml", CLAIM % 1 + "---\n" + CLAIM % 1)
    asker.write("empty.yaml", "# nothing\n---\n")
    asker.write("broken.yaml", "kind: [a\n")
    asker.write("list.yaml", "- a\n")
    for arguments, text in REFUSED:
        status, output, errors = asker(*arguments)
        good = status == 2 and errors.startswith("make oracle: ") and text in errors and "Traceback" not in errors
        tap.ok(good, f"{' '.join(arguments) or 'no case'}: {text}", output + errors)
    status, _, errors = asker("--oracles", "nowhere", "claim")
    tap.ok(status == 2 and "no oracle in nowhere" in errors, "an oracle that is not built", errors)


def main(build):
    tap = Tap()
    test_verdicts(tap, ask.Oracles(ORACLES))
    for test in test_answers, test_added, test_all, test_refused:
        with tempfile.TemporaryDirectory() as folder:
            test(tap, Asker(os.path.abspath(build), folder))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
