"""What the programs share that put what chance makes to Kubernetes and to drawbridge, and print where they differ."""
import argparse, json, subprocess, time

SHOWN = 20  # differences that are printed


def arguments(text, seconds=None, count=None):
    """A parser with what all of them know: how long, which seed, the folder of the build."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if seconds:
        parser.add_argument("--seconds", type=float, default=seconds)
    if count is not None:
        parser.add_argument("--count", type=int, default=count, help="how many are made; 0: as many as there is time for")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="to repeat a run")
    parser.add_argument("build")
    return parser


def ask(command, lines, check=True):
    """The answers of a program that reads and writes JSON lines; its remarks are not shown."""
    done = subprocess.run(command, input="".join(lines).encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=check)
    return [json.loads(line) for line in done.stdout.splitlines()]


def sum_up(asked, failed):
    """Prints the last line: the exit status."""
    print(f"{asked - failed} passed, {failed} failed")
    return 1 if failed or not asked else 0
