#!/usr/bin/env python3
"""What JSON means to the API server's decoder: repeated members, null, empty and zero values, old objects in other API versions.

    test_decoding.py BUILD [CASES]        without CASES, decoding.txt, whose head says how cases are written
"""
import json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap
from test_review import agrees

OUTCOMES = ("allowed", "denied", "undecodable")


class Case:
    def __init__(self, title):
        self.title, self.op, self.texts, self.outcome, self.causes = title, "", [], "", []

    def text(self, number):
        return self.texts[number] if number < len(self.texts) else "null"


def read_cases(path):
    """The cases of a file. Objects stay text, because a member may be repeated in them."""
    cases = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            head, _, rest = line.strip().partition(" ")
            if head == "==":
                cases.append(Case(rest))
            elif head in ("CREATE", "UPDATE", "STATUS", "old"):
                cases[-1].op = cases[-1].op or head
                cases[-1].texts.append(rest)
            elif head in OUTCOMES:
                cases[-1].outcome = head
            elif head.endswith(":") and cases[-1].outcome:
                cases[-1].causes.append((head[:-1], "FieldValue" + rest))
            elif head and not line.startswith("#"):
                cases[-1].texts[-1] += line.strip()
    return cases


def identity(text):
    """The object as far as a request names it: of members that are repeated, the last that is not null."""
    return json.loads(text, object_pairs_hook=lambda pairs: {key: value for key, value in pairs if value is not None})


def review(case, uid):
    obj = identity(case.text(0))
    group, version = obj["apiVersion"].split("/")
    status = case.op == "STATUS"
    request = {"uid": uid, "kind": {"group": group, "version": version, "kind": obj["kind"]}, "operation": "UPDATE" if status else case.op,
               "subResource": "status" if status else "", "name": obj["metadata"]["name"], "namespace": obj["metadata"].get("namespace", "")}
    head = json.dumps(request)[:-1]
    return '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",' f'"request":{head},"object":{case.text(0)},"oldObject":{case.text(1)}}}}}\n'


def main(build, path):
    tap, cases = Tap(), read_cases(path)
    text = "".join(review(case, str(number)) for number, case in enumerate(cases))
    command = [os.path.join(build, "drawbridge"), "review", "--kubernetes-version", "1.35", "-"]
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, timeout=300)
    answers = {answer["uid"]: answer for answer in (json.loads(line)["response"] for line in done.stdout.splitlines())}
    for number, case in enumerate(cases):
        answer = answers.get(str(number), {})
        expected = {"outcome": case.outcome, "causes": [{"field": field, "reason": reason} for field, reason in case.causes]}
        causes = answer.get("status", {}).get("details", {}).get("causes", [])
        tap.ok(agrees({"object": identity(case.text(0))}, expected, answer), f"{case.title}: {case.outcome}",
               "\n".join([f"allowed: {answer.get('allowed')}"] + [f"{cause['field']}: {cause['message']}" for cause in causes]))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "decoding.txt")))
