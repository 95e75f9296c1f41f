#!/usr/bin/env python3
"""Runs the fuzzers, one after the other, each for a time, on its seeds, the saved corpus and what it has found before. Ends at the first
finding, which `BUILD/fuzz_NAME FILE` repeats.

    run.py [--target NAME] [--seconds N] [--save] BUILD

--save writes what is needed of the corpus to reach the same code into tests/fuzz/corpus, the smallest inputs first, as many as have room.
"""
import argparse, glob, gzip, io, os, re, shutil, subprocess, sys, tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAVED = os.path.join(HERE, "corpus")
SAVED_BYTES = 48 << 10      # of the inputs of a target, before they are compressed
SAVED_SEEDS = 300           # that are looked at for it, evenly over all
INPUT_BYTES = 16384         # of one input; longer ones only slow the fuzzers down
INPUT_SECONDS = 10          # for one input
MEMORY_MIB = 4096
DICTIONARIES = {"yaml": "yaml", "library": "yaml", "match": "yaml", "allocate": "allocate", "configuration": "configuration", "cel": "cel", "cel_eval": "cel", "cel_regexp": "cel_regexp",
                "cel_values": "cel_values", "http": "http", "certificates": None, "formats": None}


def unpack(name, folder):
    """The saved inputs of a target."""
    path = os.path.join(SAVED, name + ".tar.gz")
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(path):
        with tarfile.open(path) as archive:
            for entry in archive:
                with open(os.path.join(folder, os.path.basename(entry.name)), "wb") as file:
                    file.write(archive.extractfile(entry).read())


def command(build, name, *options):
    dictionary = DICTIONARIES.get(name, "json")
    return [os.path.join(build, "fuzz_" + name), f"-timeout={INPUT_SECONDS}", f"-rss_limit_mb={MEMORY_MIB}", f"-max_len={INPUT_BYTES}", f"-artifact_prefix={build}/",
            *([f"-dict={os.path.join(HERE, dictionary + '.dict')}"] if dictionary else []), *options]


def fuzz(build, name, seconds):
    """True: nothing was found."""
    corpus, saved, seeds = (os.path.join(build, kind, name) for kind in ("corpus", "saved", "seeds"))
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(seeds, exist_ok=True)
    unpack(name, saved)
    log = os.path.join(build, name + ".log")
    with open(log, "wb") as output:
        done = subprocess.run(command(build, name, f"-max_total_time={seconds}", "-print_final_stats=1", corpus, saved, seeds), stdout=output, stderr=output)
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if done.returncode:
        print("\n".join(text.splitlines()[-60:]))
        print(f"fuzz_{name}: a finding; {log} has all")
        return False
    ran = re.search(r"^Done (.*)", text, re.M)
    print(f"fuzz_{name}: {ran[1] if ran else 'no more'}, no finding", flush=True)
    return True


def save(build, name):
    least = os.path.join(build, "least", name)
    shutil.rmtree(least, ignore_errors=True)
    os.makedirs(least)
    some = os.path.join(build, "some", name)
    shutil.rmtree(some, ignore_errors=True)
    os.makedirs(some)
    seeds = sorted(glob.glob(os.path.join(build, "seeds", name, "*")))
    for path in seeds[::1 + len(seeds) // SAVED_SEEDS]:
        shutil.copy(path, some)
    folders = [os.path.join(build, "corpus", name), os.path.join(build, "saved", name), some]
    subprocess.run(command(build, name, "-merge=1", least, *folders), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    inputs = sorted((os.path.getsize(path), os.path.basename(path), path) for path in glob.glob(os.path.join(least, "*")))
    kept, size = [], 0
    for length, entry, path in inputs:
        if size + length <= SAVED_BYTES:
            kept.append((entry, path))
            size += length
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for entry, path in sorted(kept):
            with open(path, "rb") as file:
                data = file.read()
            head = tarfile.TarInfo(entry)
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
    os.makedirs(SAVED, exist_ok=True)
    with open(os.path.join(SAVED, name + ".tar.gz"), "wb") as file:
        file.write(gzip.compress(archive.getvalue(), mtime=0))
    print(f"fuzz_{name}: {len(kept)} of {len(inputs)} inputs saved")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--target", default="", metavar="NAME", help="only this fuzzer: what follows fuzz_ in its name")
    arguments.add_argument("--seconds", type=int, default=60, metavar="N", help="for each")
    arguments.add_argument("--save", action="store_true", help="save the corpora")
    arguments.add_argument("build", help="folder with the fuzzers")
    arguments = arguments.parse_args()
    build = os.path.abspath(arguments.build)
    names = sorted(os.path.basename(path)[len("fuzz_"):-len(".c")] for path in glob.glob(os.path.join(HERE, "fuzz_*.c")))
    if arguments.target and arguments.target not in names:
        sys.exit(f"there is no target \"{arguments.target}\", but {', '.join(names)}")
    for name in [arguments.target] if arguments.target else names:
        if arguments.save:
            save(build, name)
        elif not fuzz(build, name, arguments.seconds):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
