#!/usr/bin/env python3
"""Completion: what the program offers, and what bash, zsh and fish make of it; kubectl's plugin.

    test_completion.py BUILD

zsh, fish and kubectl are asked where they are installed.
"""
import os, pty, re, select, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

COMMANDS = ["lint", "scan", "upgrade", "review", "match", "allocate", "explain", "rules", "version", "completion", "serve", "manifests", "cel check", "cel eval", "cel repl",
            "certs init", "certs issue", "certs rotate", "certs show", "certs check"]
FILES = [":0"]
OFFERED = [  # what is typed: some of what is offered, and how it ends
    ("", ["lint", "serve", "help", "completion", "--version"], ":4"),
    ("lin", ["lint"], ":4"),
    ("lint ", [], ":0"),
    ("lint --old ", [], ":0"),
    ("lint --kubernetes-version 1.3", ["1.31", "1.37"], ":4"),
    ("lint --unknown-fields=w", ["--unknown-fields=warn"], ":4"),
    ("lint --unknown-fields = w", ["warn"], ":4"),
    ("lint --unknown-fields =", ["ignore", "warn", "error"], ":4"),
    ("lint --feature-gates DRAAdminAccess=true,DRACons", ["DRAAdminAccess=true,DRAConsumableCapacity=false"], ":4"),
    ("lint --as-status man", [], ":0"),
    ("explain storagecl", ["storageclass"], ":4"),
    ("explain well-kn", ["well-known-name", "well-known-value"], ":4"),
    ("explain DRACons", ["DRAConsumableCapacity"], ":4"),
    ("explain efs", ["efs.csi.aws.com"], ":4"),
    ("rules --format ", ["text", "markdown", "json"], ":4"),
    ("rules ", [], ":4"),
    ("cel ", ["check", "eval", "repl"], ":0"),
    ("config ", ["check", "schema"], ":4"),
    ("config check --for=s", ["--for=serve"], ":4"),
    ("config check a", [], ":0"),
    ("certs ro", ["rotate"], ":4"),
    ("certs init --ke", ["--key-type"], ":4"),
    ("help mat", ["match"], ":4"),
    ("completion ", ["bash", "fish", "zsh"], ":4"),
    ("frobnicate ", [], ":4"),
]


def run(*command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def offered(program, typed):
    """The candidates, without what they are, and how they end."""
    status, text, errors = run(program, "__complete", *typed.split(" "))
    lines = text.splitlines() or [""]
    return [line.partition("\t")[0] for line in lines[:-1]], lines[-1] if status == 0 and not errors else errors


def test_program(tap, program):
    for typed, some, end in OFFERED:
        words, last = offered(program, typed)
        tap.ok(set(some) <= set(words) and last == end and bool(some) == bool(words), f"drawbridge {typed}<Tab>", f"{words} {last}")
    for command in COMMANDS:
        options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", run(program, *command.split(), "--help")[1], re.M)
        words, last = offered(program, command + " --")
        tap.ok(len(options) > 0 and words == options and last == ":4", f"drawbridge {command} --<Tab>: its options", f"{words}\n{options}")
    words, _ = offered(program, "")
    listed = re.findall(r"^  (\w+) ", run(program, "--help")[1], re.M)
    tap.ok(set(listed) <= set(words), "every command is offered", f"{words}\n{listed}")
    tap.equal(run(program, "__complete", "explain", "a" * 5000)[1], ":4\n", "a long word")


BASH = """
source "$1"; cd "$2"
for typed in "drawbridge explain storagecl" "drawbridge lint --unknown-fields = w" "drawbridge lint ob" "drawbridge rules ob"; do
    COMP_WORDS=($typed) COMP_CWORD=$(( $(wc -w <<< "$typed") - 1 ))
    _drawbridge
    echo "${COMPREPLY[*]}"
done
"""


def test_bash(tap, folder, env):
    script = os.path.join(folder, "completion.bash")
    with open(script, "w") as file:
        file.write(run("drawbridge", "completion", "bash", env=env)[1])
    done = run("bash", "--norc", "--noprofile", "-c", BASH, "bash", script, folder, env=env)
    tap.equal(done, (0, "storageclass\nwarn\nobject.yaml\n\n", ""), "bash: candidates")
    said = type_into(["bash", "--norc", "--noprofile", "-i"], env, f"source {script}\n", "echo GOT: drawbridge explain storagecl\t\n")
    tap.ok("GOT:" in said, "bash: a line is typed", said)
    said = type_into(["bash", "--norc", "--noprofile", "-i"], env, f"source {script}\n", "drawbridge explain well-known-v\t | head -n 1\n")
    tap.ok("well-known-value: an attribute" in said, "bash: a word is completed as it is typed", said)


def test_zsh(tap, folder, env):
    script = os.path.join(folder, "_drawbridge")
    with open(script, "w") as file:
        file.write(run("drawbridge", "completion", "zsh", env=env)[1])
    begin = f"PS1='> '; autoload -Uz compinit; compinit -u -d {folder}/zcompdump; source {script}\n"
    for typed, wanted in (("drawbridge explain well-known-v\t | head -n 1\n", "well-known-value: an attribute"),
                          ("drawbridge lint ob\t; echo\n", "1 object of 1 file"),
                          ("drawbridge rules --format=mark\t| head -n 1\n", "# Rules")):
        said = type_into(["zsh", "-f", "-i"], env, begin, typed)
        tap.ok(wanted in said, f"zsh: {typed.partition(chr(9))[0]}<Tab>", said)


def test_fish(tap, folder, env):
    script = os.path.join(folder, "drawbridge.fish")
    with open(script, "w") as file:
        file.write(run("drawbridge", "completion", "fish", env=env)[1])
    for typed, wanted in (("explain well-known-v", "well-known-value"), ("lint --unknown-fields=w", "--unknown-fields=warn"), ("lint ob", "object.yaml"),
                          ("certs ro", "rotate")):
        status, text, errors = run("fish", "--no-config", "-c", f"source {script}; complete -C 'drawbridge {typed}'", env=env, cwd=folder)
        tap.equal((status, [line.partition("\t")[0] for line in text.splitlines()], errors), (0, [wanted], ""), f"fish: drawbridge {typed}<Tab>")


def type_into(command, env, begin, typed, seconds=20):
    """Starts a program on a terminal of its own, types, and returns what it shows until it has ended or the time is over."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(env["HOME"])
        os.execvpe(command[0], command, env)
    shown, end = b"", time.monotonic() + seconds
    to_type = [begin, typed, "exit\n"]
    quiet_since = time.monotonic()
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        if ready:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            shown, quiet_since = shown + part, time.monotonic()
        elif to_type and time.monotonic() - quiet_since > 0.7:
            os.write(terminal, to_type.pop(0).encode())
            quiet_since = time.monotonic()
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode("utf-8", "replace")


def test_kubectl(tap, build, folder, env):
    """kubectl finds plugins on PATH by their names."""
    plugins = os.path.join(folder, "plugins")
    os.mkdir(plugins)
    os.symlink(os.path.join(build, "drawbridge"), os.path.join(plugins, "kubectl-drawbridge"))
    shutil.copy(os.path.join(ROOT, "deploy", "krew", "kubectl_complete-drawbridge"), plugins)
    env = dict(env, PATH=plugins + os.pathsep + env["PATH"], KUBECONFIG=os.devnull)
    tap.equal(run("kubectl", "drawbridge", "--version", env=env), run("drawbridge", "--version", env=env), "kubectl drawbridge --version")
    tap.equal(run("kubectl", "drawbridge", "version", env=env), run("drawbridge", "version", env=env), "kubectl drawbridge version")
    tap.equal(run("kubectl", "drawbridge", "lint", "object.yaml", env=env, cwd=folder), run("drawbridge", "lint", "object.yaml", env=env, cwd=folder), "kubectl drawbridge lint")
    status, text, _ = run("kubectl", "drawbridge", "certs", "--help", env=env)
    tap.ok(status == 0 and "init" in text, "kubectl drawbridge certs finds the program beside the one that is linked", text)
    status, text, _ = run("kubectl", "__complete", "drawbridge", "lint", "--unknown-fields", "w", env=env)
    tap.ok(status == 0 and text.splitlines() == ["warn", ":4"], "kubectl completes the plugin's words", text)


def main(build):
    tap, program = Tap(), os.path.join(build, "drawbridge")
    test_program(tap, program)
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"], HOME=folder, TERM="dumb", LC_ALL="C.UTF-8", XDG_CONFIG_HOME=folder)
        with open(os.path.join(folder, "object.yaml"), "w") as file:
            file.write("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: csi.acme.dev\n")
        for shell, test in ("bash", test_bash), ("zsh", test_zsh), ("fish", test_fish):
            if shutil.which(shell):
                test(tap, folder, env)
            else:
                print(f"# skipped: completion in {shell}, which is not installed")
        if shutil.which("kubectl"):
            test_kubectl(tap, build, folder, env)
        else:
            print("# skipped: kubectl drawbridge, as there is no kubectl")
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
