#!/usr/bin/env python3
"""Lets every call of a family fail in every command: once, and from then on. A run ends with a documented status and says why, never by a signal
and never late; what it writes is old or new, as a whole; and one that ends as without faults has printed the same. test_serve.py does it to the
server. Sanitizers bring their own allocator, so not under those.

    test_torture.py [--seconds N] [--only WORD] BUILD

Without --seconds, as in `make test`, a sample of the calls, the same each time; with it (`make torture`), all calls, or as many as N seconds
allow, by chance. --only chooses scenes, or SCENE/FAMILY.
"""
import argparse, collections, os, random, shutil, stat, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from scenes import scenes
from shim import FAMILIES, NEVER, Faults, compiled
from tap import Tap

LATE = 20         # seconds that no run takes
SAMPLE = 4        # calls of each family, error and scene in `make test`
# More where something was found: a .gitignore that could not be opened did not count, words and updates without memory were lost, a crash of OpenSSL.
DENSER = {("lint of a folder", "open"): 40, ("review of an audit log", "memory"): 40, ("explain cel", "memory"): 40, ("lsp", "memory"): 100,
          ("lsp", "read"): 20, ("upgrade --fix", "memory"): 60, ("scan", "memory"): 12, ("certs init", "memory"): 60, ("certs check", "memory"): 60,
          ("certs issue", "rename"): 20, ("certs rotate", "rename"): 30}
WORKERS = 2
INTERRUPTED = 3   # calls in a row: a program that tries again would try for ever

Case = collections.namedtuple("Case", "scene family error first count")
End = collections.namedtuple("End", "status out err late files faults calls")


def snapshot(folder):
    """Each file below with its mode and bytes."""
    found = {}
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = (stat.S_IMODE(os.stat(path).st_mode), file.read())
    return found


class Place:
    """A folder in which scenes are played, one after the other."""

    def __init__(self, build, library, folder):
        self.build, self.folder = build, tempfile.mkdtemp(dir=folder)
        self.stage, self.faults, self.clean = os.path.join(self.folder, "stage"), Faults(library, self.folder), {}

    def prepare(self, scene):
        shutil.rmtree(self.stage, ignore_errors=True)
        os.mkdir(self.stage)
        for path, data in scene.files.items():
            os.makedirs(os.path.dirname(os.path.join(self.stage, path)), exist_ok=True)
            with open(os.path.join(self.stage, path), "wb") as file:
                file.write(data)

    def play(self, scene, family, error, first, count):
        self.prepare(scene)
        self.faults.set(family, error, first, count)
        environment = self.faults.environment(NO_COLOR="1", **scene.environment)
        command = [os.path.join(self.build, scene.program), *scene.command]
        with subprocess.Popen(command, cwd=self.stage, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            late = False
            try:
                out, err = program.communicate(scene.stdin, timeout=LATE)
            except subprocess.TimeoutExpired:
                late = True
                program.kill()
                out, err = program.communicate()
        files = {path: what for path, what in snapshot(self.stage).items() if path != "calls"}
        return End(program.returncode, out, err, late, files, self.faults.faults, self.faults.calls)

    def without_faults(self, scene, family):
        """How the scene ends, and how many calls of the family it makes."""
        if (scene.name, family) not in self.clean:
            self.prepare(scene)
            before = {path: what for path, what in snapshot(self.stage).items() if path != "calls"}
            self.clean[scene.name, family] = self.play(scene, family, "EIO", NEVER, 1), before
        return self.clean[scene.name, family]

    def problems(self, case):
        """(What is wrong with the run, the run)."""
        clean, before = self.without_faults(case.scene, case.family)
        end = self.play(*case)
        found = list(case.scene.wrong_files(self.stage, before, clean.files, end.files, end.err.decode("utf-8", "replace")))
        if end.late:
            found.append(f"does not end within {LATE} s")
        elif end.status not in case.scene.statuses:
            found.append(f"status {end.status}")
        elif end.status > 1 and not end.err:
            found.append(f"status {end.status} without a word")
        elif end.status <= 1 and end.status != clean.status:
            found.append(f"status {end.status}, and without faults {clean.status}")
        elif end.status <= 1 and case.scene.same and (end.out, end.files) != (clean.out, clean.files):
            found.append(f"status {end.status}, but it " + ("prints" if end.out != clean.out else "writes") + " something else")
        return found, end


def cases_of(place, scene, sample):
    """One for each call and way to fail; of a sample, some calls spread over the run."""
    for family, errors in FAMILIES.items():
        clean, _ = place.without_faults(scene, family)
        most = min(DENSER.get((scene.name, family), SAMPLE), clean.calls) if sample else clean.calls
        for error in errors:
            for index in range(most):
                # the first and the last, and the others between
                first = index + 1 if most == clean.calls else 1 + index * (clean.calls - 1) // (most - 1)
                for count in (1, INTERRUPTED if error == "EINTR" else None):
                    yield Case(scene, family, error, first, count)


def in_turn(lists):
    """The cases of all scenes, by chance within a scene, and by turns of the scenes: if time is short, each has its share. The last is the first."""
    order, cases = random.Random(1), []
    for of_scene in lists:
        order.shuffle(of_scene)
        cases += enumerate(of_scene)
    return [case for _, case in sorted(cases, key=lambda pair: -pair[0])]


def certificates(build, folder):
    program = os.path.join(build, "drawbridge-certs")
    for command in (["init"], ["issue", "--host", "localhost", "--ip", "127.0.0.1"]):
        subprocess.run([program, *command, "--dir", folder], check=True, stdout=subprocess.DEVNULL)
    return {path: data for path, (_, data) in snapshot(folder).items()}


class Tally:
    def __init__(self):
        self.lock, self.runs, self.faults, self.failed = threading.Lock(), 0, 0, collections.defaultdict(list)
        self.statuses = collections.defaultdict(collections.Counter)

    def add(self, case, found, end):
        with self.lock:
            self.runs += 1
            self.faults += end.faults
            self.statuses[case.scene.name][end.status] += 1
            if found:
                which = f"{case.family} {case.error} from {case.first}" if case.count != 1 else f"{case.family} {case.error} at {case.first}"
                self.failed[case.scene.name].append(f"{which}: {'; '.join(found)}; {end.err[-200:]!r}")


def play_all(place, cases, tally, until):
    """Takes cases from the list until it is empty, or the time is over; several threads share one."""
    while time.monotonic() < until:
        try:
            case = cases.pop()
        except IndexError:
            return
        tally.add(case, *place.problems(case))


def torture(build, seconds, only):
    tap, tally = Tap(), Tally()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "certs"))
        places = [Place(build, compiled(folder), folder) for _ in range(WORKERS)]
        word, _, family = only.partition("/")
        chosen = [scene for scene in scenes(certificates(build, os.path.join(folder, "certs"))) if word in scene.name]
        cases = in_turn([case for case in cases_of(places[0], scene, not seconds) if family in case.family] for scene in chosen)
        for place in places:
            place.clean = places[0].clean
        total = len(cases)
        until = time.monotonic() + (seconds or float("inf"))
        workers = [threading.Thread(target=play_all, args=(place, cases, tally, until)) for place in places]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    for scene in chosen:
        failed = sorted(tally.failed[scene.name])
        tap.ok(not failed, f"{scene.name}: statuses {dict(sorted(tally.statuses[scene.name].items()))}", "\n".join(failed[:20] + [f"{len(failed)} in all"]))
    print(f"# measured: {tally.faults} faults in {tally.runs} runs of {total}")
    return tap.done()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=0)
    arguments.add_argument("--only", default="", metavar="WORD")
    arguments.add_argument("build")
    arguments = arguments.parse_args()
    build = os.path.abspath(arguments.build)
    if os.path.basename(build) != "build":
        return Tap().done()
    return torture(build, arguments.seconds, arguments.only)


if __name__ == "__main__":
    sys.exit(main())
