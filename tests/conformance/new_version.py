#!/usr/bin/env python3
"""What a version of Kubernetes does otherwise than drawbridge as its newest version says: `make oracle K8S=1.37.2`, once its oracle is built.

    new_version.py [--oracles FOLDER] [--build FOLDER] VERSION

Reads the version's sources into api.tsv and prints how the tables differ: fields, types, gates and kinds. Then it puts every conformance case
to the oracle and to drawbridge, and prints those that they decide otherwise, as lines of cases/*.tsv with the verdict of that version.
"""
import argparse, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import api_table as api
import ask
import cases
import test_api
import test_review
import versions


def print_tables(build, version):
    """What the sources have and the tables do not, or otherwise; but for what test_api.py says is on purpose."""
    known, rows = api.load()
    api.add(known, rows, version, api.read_sources(version))
    api.save(known, rows)
    found = api.differences(build, [versions.minor_of(version)])
    found = [" ".join(difference) for difference in sorted(found) if not test_api.reason_for(difference)]
    print(f"tables: {sum(versions.minor_of(version) in minors for minors in rows.values())} fields, kinds and gates, {len(found)} differ")
    print("".join(f"  {text}\n" for text in found), end="")


def line_of(case, bases):
    """The case's line; without a base for its kind, what it is about."""
    try:
        return cases.write_line(case, cases.objects_text(case, bases, any_order=True))
    except (ValueError, KeyError):
        return f"{case['id']}\t(in newer.jsonl.gz)\t{cases.others_text(case['expectIn'], case['expect'])}"


def print_cases(oracles, build, minor):
    """One line for each case that is decided otherwise, and the sum."""
    version, ours = f"1.{minor}", f"1.{min(minor, versions.NEWEST)}"
    bases, differ = cases.read_bases(), 0
    asked = [case for case in [*cases.read(), *cases.newer()] if test_review.is_compared(case, ours)]
    answers, responses = oracles.decide(version, asked), test_review.validate(build, ours, asked)
    for case, answer, response in zip(asked, answers, responses, strict=True):
        try:
            verdict = ask.as_verdict(answer)
        except ask.Refused as refused:
            print(f"{case['id']}: {refused}")
            continue
        if verdict["outcome"] == "not-served":
            agrees = not cases.serves(ours, case["object"])
        else:
            agrees = test_review.agrees(case, verdict, response)
        if not agrees:
            differ += 1
            ask.set_verdicts(case, {version: verdict})
            print(line_of(case, bases))
    print(f"cases: {len(asked)} asked in {oracles.name(version)}, {differ} differ from drawbridge as {ours}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", metavar="VERSION", help="such as 1.37.2")
    parser.add_argument("--oracles", default="build-oracle", metavar="FOLDER")
    parser.add_argument("--build", default="build", metavar="FOLDER", help="where drawbridge is")
    arguments = parser.parse_args()
    try:
        print_tables(arguments.build, arguments.version)
        print_cases(ask.Oracles(arguments.oracles), arguments.build, versions.minor_of(arguments.version))
    except ask.Refused as refused:
        print(f"make oracle: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
