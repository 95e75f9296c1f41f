#!/usr/bin/env python3
"""Puts objects and updates that chance makes (../generate_objects.py) to Kubernetes' own code and to `drawbridge review`, and prints where they differ.

    diff_fuzz.py [--seconds N] [--count N] [--seed N] [--version 1.37] [--oracles FOLDER] BUILD

Verdict, fields and reasons are compared, in turn with every feature gate that the tables know and with the version's own defaults. Each
kind of difference is printed once: shrunk, as a line of a case (../README.md), under it what the two say. Not compared: what Kubernetes
answers about the request and not about the object, and where its code panics. Only counted: what EXCUSES says. The last line is
`N passed, N failed`. It needs build-oracle/oracle-VERSION, which `make diff-fuzz` builds.
"""
import collections, os, re, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(CONFORMANCE))
sys.path[:0] = [CONFORMANCE, os.path.dirname(CONFORMANCE)]
import ask, cases, differ, generate_objects, notation, shrink, test_review
from versions import minor_of

BATCH = 1000
KINDS_SHOWN = 100
MOST_CAUSES = 512  # LIMIT_CAUSES of src/review/limits.h
SHRINKING = 20  # seconds at most, for one difference
WIDTH = 3000  # of a line that is shown


class Sides:
    """Kubernetes and drawbridge, of a version and with feature gates."""

    def __init__(self, build, oracles, version, gates):
        self.build, self.oracles, self.version = build, oracles, version
        every = ",".join(f"{gate}=true" for gate in gates)
        self.there, self.here = ("-gates", every), ["--feature-gates", every or "AllAlpha=false"]
        self.name = f"{version}, " + ("every gate" if gates else "gates by default")

    def differences(self, asked):
        """For each case None, or (verdict of Kubernetes, response of drawbridge, what differs); and how many were not compared."""
        answers = self.oracles.decide(self.version, asked, *self.there)
        responses = test_review.validate(self.build, self.version, asked, stderr=subprocess.DEVNULL, gates=self.here)
        if len(answers) != len(asked) or len(responses) != len(asked):
            sys.exit(f"diff_fuzz.py: {len(asked)} cases, {len(answers)} answers of Kubernetes, {len(responses)} of drawbridge")
        found = [self.difference(*three) for three in zip(asked, answers, responses)]
        return found, sum(not is_compared(answer) for answer in answers)

    def difference(self, case, answer, response):
        if not is_compared(answer):
            return None
        verdict = dict(ask.as_verdict(answer), unknown=[])
        return None if test_review.agrees(case, verdict, response) else (verdict, response, kind_of(case, verdict, response))


def is_compared(answer):
    """Whether Kubernetes' answer is about the object."""
    about_request = answer["outcome"] == "denied" and not answer.get("causes")
    old = answer["outcome"] == "undecodable" and answer.get("error", "").startswith("the older object")
    return answer["outcome"] in ("allowed", "denied", "undecodable") and not about_request and not old


def general(case, causes):
    """Fields and reasons without numbers and keys, as the user wrote them."""
    return {(re.sub(r"\[[^]]*\]", "[]", test_review.as_written(cause["field"], case["object"]["apiVersion"])), cause["reason"]) for cause in causes}


def causes_of(response):
    return response.get("status", {}).get("details", {}).get("causes", [])


def kind_of(case, verdict, response):
    """What tells one difference from another: causes that only one side has."""
    there, here = general(case, verdict.get("causes", [])), general(case, causes_of(response))
    only = {("Kubernetes", *cause) for cause in there - here} | {("drawbridge", *cause) for cause in here - there}
    if verdict["outcome"] == "undecodable" or not only:
        only = {(verdict["outcome"], "allowed" if response.get("allowed") else "denied")}
    return case["object"].get("kind"), frozenset(only)


# ---- what is only counted ----

def is_below_refused(sides, case, verdict, response):
    """From 1.36 on Kubernetes goes on with some checks below a list that is too long, or a request of two kinds, those that types declare or the
    others: not always as drawbridge, but what is refused as a whole has to be written anew."""
    pairs = lambda causes: {(test_review.as_written(cause["field"], case["object"]["apiVersion"]), cause["reason"]) for cause in causes}
    there, here = pairs(verdict.get("causes", [])), pairs(causes_of(response))
    whole = [field for field, reason in there & here if reason == "FieldValueTooMany" or (reason == "FieldValueInvalid" and re.search(r"requests\[\d+\]$", field))]
    is_below = lambda below: any(re.match(re.escape(field) + r"([.\[]|$)", below) for field in whole)
    return minor_of(sides.version) >= 36 and there != here and all(is_below(field) for field, _ in there ^ here)


def was_never_stored(sides, case, verdict, response):
    """No version that is built would have taken the older object, so that it does not matter what an update may leave in it."""
    old = case.get("oldObject")
    if old is None:
        return False
    asked = [{"id": "old", "op": "CREATE", "sub": "", "object": old}]
    if old.get("status"):
        bare = {name: value for name, value in old.items() if name != "status"}
        asked.append({"id": "status", "op": "UPDATE", "sub": "status", "object": old, "oldObject": bare})
    takes = lambda answer: answer["outcome"] == "allowed" and not answer.get("unknown")
    return not any(all(map(takes, sides.oracles.decide(version, asked))) for version in sides.oracles.programs)


def has_long_key(sides, case, verdict, response):
    """Keys of devices are cut at 96 bytes, from 1.37 on not by the checks that types declare; others drawbridge cuts at some 320 bytes."""
    return any(len(key.encode()) > 90 for cause in verdict.get("causes", []) for key in re.findall(r"\[([^]]*)\]", cause["field"]))


def has_more_causes(sides, case, verdict, response):
    return len(causes_of(response)) == MOST_CAUSES


EXCUSES = {"below what is refused as a whole": is_below_refused, "where a key is cut": has_long_key, "in more causes than an answer has": has_more_causes,
           "after an older object that no version takes": was_never_stored}


def excuse_of(sides, case, difference):
    return next((words for words, applies in EXCUSES.items() if applies(sides, case, *difference[:2])), None)


# ---- what is shown ----

def shrunk(sides, case, found):
    """The smallest case that differs in no more than this, and of which Kubernetes says nothing else."""
    causes = general(case, found[0].get("causes", []))

    def shows(smaller):
        differences, _ = sides.differences(smaller) if smaller else ([], 0)
        return [difference is not None and difference[2][1] <= found[2][1] and general(made, difference[0].get("causes", [])) <= causes
                for made, difference in zip(smaller, differences)]
    return shrink.shrink(case, shows, SHRINKING)


def line_of(case, version, verdict):
    """The line of a case, or its JSON where no base is like it."""
    case = dict(case, expect={"outcome": "not-asked"}, expectIn={})
    ask.set_verdicts(case, {version: verdict})
    try:
        return cases.write_line(case, cases.objects_text(case, cases.read_bases(), any_order=True))
    except ValueError:
        return notation.write(case)


def show(sides, case, found):
    small = shrunk(sides, case, found)
    verdict, response, _ = sides.differences([small])[0][0]
    causes = [f"{cause['field']} {cause['reason']} ({cause.get('message', '')})" for cause in causes_of(response)]
    said = ("allowed" if response.get("allowed") else "denied") + (": " if causes else "") + "; ".join(causes)
    print(f"# {sides.name}\n{line_of(small, sides.version, verdict)[:WIDTH]}\n#   Kubernetes {cases.verdict_text(verdict)[:WIDTH]}\n"
          f"#   drawbridge {said[:WIDTH]}", flush=True)


def main():
    parser = differ.arguments(__doc__, seconds=60, count=0)
    parser.add_argument("--version", default=cases.NEWER[-1])
    parser.add_argument("--oracles", default=os.path.join(ROOT, "build-oracle"), metavar="FOLDER")
    options = parser.parse_args()
    generator = generate_objects.Generator(options.build, minor_of(options.version), options.seed)
    oracles = ask.Oracles(options.oracles)
    both = [Sides(options.build, oracles, options.version, gates) for gates in (generator.gates, [])]
    counts, kinds, excused = collections.Counter(), collections.Counter(), collections.Counter()
    end = time.monotonic() + options.seconds
    print(f"# {options.version}, seed {options.seed}", flush=True)
    while time.monotonic() < end and (not options.count or counts["asked"] < options.count):
        sides = both[counts["batches"] % len(both)]
        counts["batches"] += 1
        asked = [case for i in range(BATCH) if (case := generator.case(f"fuzz-{options.seed}-{counts['batches']}-{i}"))]
        found, left_out = sides.differences(asked)
        counts.update({"asked": len(asked) - left_out, "not compared": left_out})
        for case, difference in zip(asked, found):
            if difference and (words := excuse_of(sides, case, difference)):
                excused[words] += 1
            elif difference:
                counts["failed"] += 1
                kinds[difference[2]] += 1
                if kinds[difference[2]] == 1 and len(kinds) <= differ.SHOWN:
                    show(sides, case, difference)
    for words, count in excused.items():
        print(f"# {count} differ {words}")
    for kind, count in kinds.most_common(KINDS_SHOWN):
        print(f"# {count} times, {kind[0]}: " + ", ".join(" ".join(item) for item in sorted(kind[1])))
    print(f"# {counts['not compared']} not compared")
    return differ.sum_up(counts["asked"], counts["failed"])


if __name__ == "__main__":
    sys.exit(main())
