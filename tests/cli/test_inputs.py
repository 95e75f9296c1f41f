#!/usr/bin/env python3
"""Which files `drawbridge lint` reads: what git ignores is left out, as `git check-ignore` has it; patterns; hidden files; hostile trees.

    test_inputs.py BUILD [SEED]
"""
import json, os, random, re, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tap import Tap

WRONG = "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: A_B}\nspec: {}\n"
NAMES = ["a", "b", "ab", "build", "x y", "c.yaml", "b.yaml", "a.yml", "é", "[a]", "a]", "a-b", "bb", "A"]
GIT = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")


def write(folder, path, text):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def run(build, folder, *arguments):
    return subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def read(build, folder, *arguments):
    """The files that were read: each has one error."""
    return sorted({record["file"] for record in map(json.loads, run(build, folder, *arguments).stdout.splitlines()) if "file" in record})


# ---- .gitignore ----

def pattern(dice):
    parts = []
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 4])):
        part = "".join(dice.choice(["a", "b", "ab", "build", ".yaml", ".yml", "*", "*", "**", "?", "[ab]", "[!a]", "[a-c]", "[^b]", "[[:alpha:]]", "[]a]", "[a",
                                    "\\a", "\\*", "\\", "x y", " ", "é", "[\\]]", "[b-]", "[a/b]", "[[:no:]]", "[[:"]) for _ in range(dice.choice([1, 1, 1, 2, 3])))
        parts.append(dice.choice([part, part, "**", dice.choice(NAMES)]))
    return dice.choice(["", "", "", "!", "/", "!/", "#", "\\!", "\\#"]) + "/".join(parts) + dice.choice(["", "", "", "/", " ", "\\ ", "\r", "/**"])


def tree(dice, folder):
    """Some hundred files in folders of folders, and lists beside them."""
    folders = [""]
    for _ in range(12):
        folders.append(os.path.join(dice.choice(folders), dice.choice(NAMES[:6] + NAMES[8:])))
    folders = [path for path in folders if path.count("/") < 5]
    for path in folders:
        for name in dice.sample(NAMES, 5):
            file = os.path.join(path, name if name.endswith("ml") else name + ".yaml")
            if not os.path.isdir(os.path.join(folder, file)):
                try:
                    write(folder, file, WRONG)
                except (NotADirectoryError, FileExistsError):
                    pass
        if os.path.isdir(os.path.join(folder, path)) and dice.random() < 0.4:
            write(folder, os.path.join(path, ".gitignore"), "".join(pattern(dice) + "\n" for _ in range(dice.randrange(1, 6))))
    write(folder, ".git/info/exclude", "".join(pattern(dice) + "\n" for _ in range(2)))


def not_ignored(folder):
    files = sorted(os.path.join(base, name)[len(folder) + 1:] for base, _, names in os.walk(folder) for name in names
                   if name.endswith(("yaml", "yml")) and "/.git/" not in base + "/")
    done = subprocess.run(["git", "check-ignore", "--no-index", "--stdin", "-z"], cwd=folder, env=GIT, input="\0".join(files).encode(), stdout=subprocess.PIPE)
    return sorted(set(files) - set(done.stdout.decode().split("\0")))


def test_git(tap, build, seed):
    for number in range(60):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            subprocess.run(["git", "init", "-q", "."], cwd=folder, env=GIT, check=True)
            tree(random.Random(seed * 1000 + number), folder)
            ours, theirs = [name[2:] for name in read(build, folder, ".")], not_ignored(folder)
            if not tap.ok(ours == theirs, f"tree {seed * 1000 + number}: git and drawbridge read the same {len(theirs)} files"):
                print("# only git:", sorted(set(theirs) - set(ours))[:5], "only drawbridge:", sorted(set(ours) - set(theirs))[:5])
                for base, _, names in os.walk(folder):
                    for name in names:
                        if name in (".gitignore", "exclude"):
                            with open(os.path.join(base, name), encoding="utf-8") as file:
                                print("#", os.path.join(base, name)[len(folder):], repr(file.read()))


def test_below(tap, build):
    """A folder in the middle of a repository, by its path, from elsewhere, and through a symbolic link."""
    with tempfile.TemporaryDirectory() as folder:
        for path in "k8s/a.yaml", "k8s/gen/b.yaml", "k8s/gen/keep.yaml", "k8s/c.yaml":
            write(folder, path, WRONG)
        write(folder, ".gitignore", "/k8s/gen/*\nc.yaml\n")
        write(folder, "k8s/.gitignore", "!gen/keep.yaml\n")
        tap.ok(read(build, folder, "k8s") == ["k8s/a.yaml"] + ["k8s/c.yaml", "k8s/gen/b.yaml", "k8s/gen/keep.yaml"],
               "the .gitignore of a folder above counts only in a repository")
        os.mkdir(os.path.join(folder, ".git"))
        tap.ok(read(build, folder, "k8s") == ["k8s/a.yaml", "k8s/gen/keep.yaml"], "a folder of a repository")
        tap.ok(read(build, os.path.join(folder, "k8s", "gen"), "..") == ["../a.yaml", "../gen/keep.yaml"], "the folder above")
        os.symlink("k8s", os.path.join(folder, "link"))
        tap.ok(read(build, folder, "link/") == ["link/a.yaml", "link/gen/keep.yaml"], "through a symbolic link")
        tap.ok(read(build, folder, "k8s/c.yaml", "k8s/gen/b.yaml") == ["k8s/c.yaml", "k8s/gen/b.yaml"], "what is named is read")
        tap.ok(len(read(build, folder, "--no-gitignore", "k8s")) == 4, "--no-gitignore")


# ---- hidden files, --exclude, patterns ----

def test_names(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        for path in "k8s/a.yaml", "k8s/b.json", "k8s/deep/er/c.yaml", "k8s/deep/d.yml", "k8s/.hidden/e.yaml", "k8s/.f.yaml", "k8s/notes.txt", "x[1].yaml", "k8s/t.yaml.in":
            write(folder, path, WRONG if not path.endswith("json") else json.dumps({"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "A"}, "spec": {"drivers": None}}))
        everything = ["k8s/a.yaml", "k8s/b.json", "k8s/deep/d.yml", "k8s/deep/er/c.yaml"]
        for arguments, files in (
                (["k8s"], everything),
                (["k8s/.hidden", "k8s/.f.yaml"], ["k8s/.hidden/e.yaml", "k8s/.f.yaml"]),
                (["k8s/**/*.yaml"], ["k8s/a.yaml", "k8s/deep/er/c.yaml"]),
                (["k8s/*.yaml"], ["k8s/a.yaml"]),
                (["./k8s/*"], ["./" + name for name in everything]),
                (["k8s/*/*.y*ml"], ["k8s/deep/d.yml"]),
                (["*/d?ep"], ["k8s/deep/d.yml", "k8s/deep/er/c.yaml"]),
                (["**/[cd].y*"], ["k8s/deep/d.yml", "k8s/deep/er/c.yaml"]),
                (["**/.hidden/*.yaml"], ["k8s/.hidden/e.yaml"]),
                (["k8s/*.in"], ["k8s/t.yaml.in"]),
                (["x[1].yaml"], ["x[1].yaml"]),
                ([os.path.join(folder, "k8s/d*/*.yml")], [os.path.join(folder, "k8s/deep/d.yml")]),
                (["--exclude", "deep", "k8s"], everything[:2]),
                (["--exclude", "k8s/deep/*", "--exclude", "!k8s/deep/er", "k8s"], everything[:2] + everything[3:]),
                (["--exclude", "/deep", "k8s"], everything),
                (["--exclude", "deep/", "k8s/deep/er/c.yaml", "k8s/a.yaml"], ["k8s/a.yaml"]),
                (["--exclude", "*.json", "k8s/**"], ["k8s/a.yaml", "k8s/deep/d.yml", "k8s/deep/er/c.yaml"]),
                (["--exclude", os.path.basename(folder), "."], ["./" + name for name in everything] + ["./x[1].yaml"])):
            got = read(build, folder, *arguments)
            tap.ok(got == sorted(files), f"{' '.join(arguments)}: {got}")
        done = run(build, folder, "k8s/*.yamll")
        tap.ok(done.returncode == 2 and b"no file has a name like that" in done.stderr, "a pattern that matches nothing is an error")


# ---- templates ----

HEAD = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: x.acme.dev\n"
TEMPLATES = [  # what follows the head, and whether it is a template, an error, or good
    ("{{ .Values.x }}", "template"), ("{{- if .x }}\nreclaimPolicy: Delete\n{{- end }}", "template"), ("reclaimPolicy: {{ .x }}", "template"),
    ("parameters:\n  a: b\n  {{ .k }}: c", "template"), ("mountOptions:\n- {{ .x }}", "template"), ("mountOptions: [a, {{ .x }}]", "template"),
    ("parameters: {a: {{ .x | quote }}}", "template"), ("parameters:\n  a: b {{ \"c: d\" }}", "template"), ("{% if x %}\n{% endif %}", "template"),
    ("parameters:\n  a: b\n  ${MORE}", "template"), ("parameters: {a: ${X}}", "template"), ("parameters: |\n{{ .x }}", "template"),
    ("parameters:\n  a: |\n    b\n{{ .x }}", "template"), ("parameters:\n  a: it's\n  b: {{ .x }}", "template"), ("- a\n# it's\n{{ x }}", "template"),
    ("a: '{{ .x }}'\nb: [", "error"), ("{{{{{{", "error"), ("a: {{ b", "error"), ("a: {{ b\n  c }}: d", "template"), ('a: "{{ .x }}"\nb: [', "error"), ("# {{ .x }}\nb: [", "error"), ("a: b # {{ .x }}\nb: [", "error"),
    ("a: |\n  {{ .x }}\n\n  b\nb: [", "error"), ("a:\n- b: >-\n    {{ .x }}\n  c: [", "error"), ("a: see {{ .x }} here\nb: [", "error"),
    ("a: \"\\\"{{ .x }}\"\nb: [", "error"), ("a: ${X}\nb: [", "error"), ("a: $(X)\nb: [", "error"),
    ("reclaimPolicy: ${X}", "good"), ("reclaimPolicy: ${X:-Delete}", "good"), ("reclaimPolicy: $X", "good"), ("reclaimPolicy: $(X)", "good"),
    ("reclaimPolicy: ${{X}}", "good"), ("reclaimPolicy: ($x)", "good"), ('reclaimPolicy: "{{ .x }}"', "good"), ("reclaimPolicy: a{{ .x }}", "good"),
    ("reclaimPolicy: ${pvc.name}", "error"), ("reclaimPolicy: ${", "error"), ("reclaimPolicy: '{{'", "error"), ("reclaimPolicy: (x)", "error"), ("reclaimPolicy: $x", "error"),
    ("reclaimPolicy: ${}", "error"), ("allowVolumeExpansion: ${X}", "good"), ("allowVolumeExpansion: x", "error"), ("allowVolumeExpansion: ${X}\nreclaimPolicy: Delte", "error"), ("mountOptions: [a]\nallowedTopologies: ${X}\nvolumeBindingMode: x", "error"),
    ("mountOptions: ${X}", "good"), ("mountOptions: [1, '${X}']", "error"),
    ("allowedTopologies:\n- matchLabelExpressions: ${X}\n- a: 1", "error"), ("allowedTopologies: ['{{ .x }}']", "good"), ("'{{ .k }}': a", "good"), ("parameters: {'{{ .k }}': 1}", "error"),
]


def test_templates(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        for text, expected in TEMPLATES:
            write(folder, "a.yaml", HEAD + text + "\n")
            done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "a.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            refused = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--templates", "error", "a.yaml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            is_template = b" 1 template" in done.stderr
            got = "template" if is_template and done.returncode == 2 else {0: "good", 1: "error", 2: "nothing"}[done.returncode]
            tap.ok(got == expected and refused.returncode == 1, f"{text!r} is {expected}: {got}, with --templates error {refused.returncode} {done.stdout[:200]!r}")


# ---- older objects in a revision ----

def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@acme.dev", "-c", "commit.gpgsign=false", *arguments], cwd=folder, env=GIT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def storage_class(name, provisioner="a.acme.dev"):
    return f"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: {name}}}\nprovisioner: {provisioner}\n"


def against(build, folder, *arguments, **env):
    """(status, number of updates, standard error) of a run for people."""
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", *arguments], cwd=folder, env=dict(GIT, **env), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    err = done.stderr.decode()
    updates = re.search(r"(\d+) of them against older ones", err)
    return done.returncode, int(updates[1]) if updates else None, err


def fake_git(folder, script):
    write(folder, "fake/git", "#!/bin/sh\n" + script + "\n")
    os.chmod(os.path.join(folder, "fake/git"), 0o755)
    return os.path.join(folder, "fake") + ":" + os.environ["PATH"]


def test_revision(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        git(folder, "init", "-q", ".")
        odd = "k8s/sub/-o \"x\n\u00e9[1].yaml"
        for path, name in ("k8s/a.yaml", "fast"), (odd, "odd"), ("k8s/gone.yaml", "gone"), ("k8s/.hidden.yaml", "hidden"), ("other/b.yaml", "other"), ("k8s/note.txt", "text"):
            write(folder, path, storage_class(name))
        write(folder, "k8s/template.yaml", storage_class("{{ .x }}"))
        os.symlink("a.yaml", os.path.join(folder, "k8s/link.yaml"))
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "one")
        git(folder, "mv", "k8s/a.yaml", "k8s/moved.yaml")
        git(folder, "rm", "-q", "k8s/gone.yaml", "k8s/link.yaml")
        write(folder, "k8s/moved.yaml", storage_class("fast", "b.acme.dev"))
        status, updates, err = against(build, folder, "--old-rev", "HEAD", "k8s")
        tap.ok(status == 1 and updates == 2 and "HEAD:k8s/gone.yaml:1:1: note: StorageClass \"gone\" is not there any more" in err and err.count("note:") == 1, f"a folder: {err}")
        for where, path in (".", "."), ("k8s", "."), ("k8s/sub", ".."), ("other", "../k8s/"), ("k8s", os.path.join(folder, "k8s")), ("other", folder):
            status, updates, err = against(build, os.path.join(folder, where), "--old-rev", "HEAD", path)
            tap.ok(status == 1 and updates == (3 if path in (folder, ".") and where != "k8s" else 2) and err.count("note:") == 1, f"{path} in {where}: {updates} {err[-200:]}")
        tap.ok(against(build, folder, "--old-rev", "HEAD", odd)[:2] == (0, 1), "a file with an odd name")
        tap.ok(against(build, folder, "--old-rev", "HEAD", "k8s/.hidden.yaml")[:2] == (0, 1), "a hidden file that is named")
        tap.ok(against(build, folder, "--old-rev", "HEAD", "k8s/**")[:2] == (1, 2), "a pattern")
        tap.ok("gone" not in against(build, folder, "--old-rev", "HEAD", "--exclude", "gone.yaml", "k8s")[2], "what is excluded is not gone")
        tap.ok(against(build, folder, "--old-rev", "HEAD", "k8s", GIT_DIR="/nowhere", GIT_INDEX_FILE="/nowhere")[:2] == (1, 2), "in a hook of another repository")
        for revision, words in ("nope", "Not a valid object name"), ("-x", '"-x" is not a revision'), ("", '"" is not a revision'), ("--output=x", "is not a revision"), ("HEAD:k8s/note.txt", "not a tree"):
            status, _, err = against(build, folder, f"--old-rev={revision}", "k8s")
            tap.ok(status == 2 and words in err, f"revision {revision!r}: {err[:200]}")
        status, _, err = against(build, folder, "--old-rev", "HEAD", "--old", "k8s", "k8s")
        tap.ok(status == 2 and "cannot be given with" in err, "--old with --old-rev")
        status, _, err = against(build, folder, "--old-rev", "HEAD", "-")
        tap.ok(status == 2 and "standard input is in no revision" in err, "standard input")
        for name, script, words in (
                ("no git", None, "git: there is no such program in PATH"),
                ("a git that prints for ever", "exec yes", "git: prints more than 64 MiB"),
                ("a git that fails", "echo 'so it \033[31mis' >&2; exit 3", "git: so it \\x1b[31mis"),
                ("a git that says nothing", "exit 3", "does not say why"),
                ("a git that answers nonsense", "printf '100644 blob 1\\tx.yaml\\000'", "git: cannot read HEAD:k8s/x.yaml"),
                ("a git that lies about sizes", "case $* in *ls-tree*) printf '100644 blob 1\\tx.yaml\\000';; *) printf '1 blob 99999999999999999999\\nabc\\n';; esac", "git: cannot read HEAD:k8s/x.yaml")):
            path = fake_git(folder, script) if script else os.path.join(folder, "fake")
            status, _, err = against(build, folder, "--old-rev", "HEAD", "k8s", PATH=path)
            tap.ok(status == 2 and words in err, f"{name}: {err[:300]!r}")


# ---- charts and kustomizations ----

RENDERED = """---
# Source: disk/templates/class.yaml
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: disk.csi.acme.dev
reclaimPolicy: Recycle
---
# Source: disk/charts/sub/templates/driver.yaml
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: A}
spec: {}
"""


def programs(folder, **scripts):
    """PATH with these programs and no others."""
    for name in "helm", "kustomize", "kubectl":
        path = os.path.join(folder, "fake", name)
        if os.path.exists(path):
            os.remove(path)
        if name in scripts:
            write(folder, "fake/" + name, "#!/bin/sh\n" + scripts[name] + "\n")
            os.chmod(path, 0o755)
    return os.path.join(folder, "fake")


def rendered(build, folder, path, *arguments):
    done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--format", "json", *arguments], cwd=folder, env=dict(os.environ, PATH=path),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    found = [record for record in map(json.loads, done.stdout.splitlines()) if "summary" not in record]
    return done.returncode, [(finding["file"], finding["line"], finding["rule"]) for finding in found if finding["severity"] == "error"], done.stderr.decode()


def test_rendered(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "repo/chart/Chart.yaml", "name: disk\n")
        write(folder, "repo/chart/templates/class.yaml", "{{ x }}\n")
        write(folder, "repo/chart/values.yaml", "a: 1\n")
        write(folder, "repo/plain.yaml", WRONG)
        write(folder, "rendered", RENDERED)
        echo = f'while read -r line; do echo "$line"; done < {folder}/rendered'
        path = programs(folder, helm=f'echo "$*" > {folder}/seen; echo $HTTPS_PROXY $GIT_ALLOW_PROTOCOL >> {folder}/seen; {echo}')
        found = [("repo/chart/templates/class.yaml", 6, "enum"), ("repo/chart/charts/sub/templates/driver.yaml", 4, "dns-subdomain")]
        status, got, err = rendered(build, folder, path, "--helm", "--values", "a.yaml", "--values", "b.yaml", "--kubernetes-version", "1.35", "repo")
        tap.ok(status == 1 and got == [("repo/plain.yaml", 3, "dns-subdomain")] + found, f"a chart in a repository: {got} {err}")
        with open(os.path.join(folder, "seen"), encoding="utf-8") as file:
            seen = file.read()
        tap.ok(seen == "template release-name repo/chart --kube-version 1.35.0 --values a.yaml --values b.yaml\nhttp://127.0.0.1:9\n", f"what helm is asked: {seen!r}")
        write(folder, "repo/chart/.drawbridge.yaml", "apiVersion: drawbridge.dev/v1alpha1\nkind: Configuration\nkubernetesVersion: 1.33..1.34\n")
        rendered(build, folder, path, "--helm", "repo/chart")
        os.remove(os.path.join(folder, "repo/chart/.drawbridge.yaml"))
        with open(os.path.join(folder, "seen"), encoding="utf-8") as file:
            seen = file.read()
        tap.ok("--kube-version 1.34.0\n" in seen, f"helm renders for the version of the configuration: {seen!r}")
        status, got, err = rendered(build, os.path.join(folder, "repo/chart"), path, "--helm", ".")
        tap.ok(status == 1 and [name for name, _, _ in got] == ["./templates/class.yaml", "./charts/sub/templates/driver.yaml"], f"the chart itself: {got} {err}")
        tap.ok(rendered(build, folder, path, "repo")[1] == [("repo/plain.yaml", 3, "dns-subdomain")], "without --helm nothing runs")
        write(folder, "rendered", 2 * ("---\n" + RENDERED.split("---\n")[1]))
        done = subprocess.run([os.path.join(build, "drawbridge"), "lint", "--helm", "repo/chart"], cwd=folder, env=dict(os.environ, PATH=path), capture_output=True, text=True)
        write(folder, "rendered", RENDERED)
        tap.ok(done.stdout.count("[duplicate-object]") == 1, f"what a template renders twice is there twice: {done.stdout} {done.stderr}")
        write(folder, "library/Chart.yaml", "name: lib\ntype: library\n")
        tap.ok(rendered(build, folder, path, "--helm", "--allow-nothing", "library")[:2] == (0, []), "a library of templates is no chart to render")
        for name, script, words in (
                ("no helm", None, "helm: there is no such program in PATH"), ("a helm that fails", "echo 'Error: no values' >&2; exit 1", "helm: Error: no values"),
                ("a helm that prints for ever", "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done | /bin/cat /dev/zero", "prints more than 64 MiB"),
                ("a helm that is killed", "kill -9 $$", "it failed")):
            status, _, err = rendered(build, folder, programs(folder, **({"helm": script} if script else {})), "--helm", "repo/chart")
            tap.ok(status == 2 and words in err, f"{name}: {status} {err[:300]!r}")
        for arguments, words in (["--fix", "--helm", "repo"], "--fix: what helm renders"), (["--diff", "--kustomize", "repo"], "what kustomize renders"), (["--values", "x", "repo"], "--values: needs --helm"), (["--kustomiez", "repo"], 'did you mean "--kustomize"'):
            status, _, err = rendered(build, folder, path, *arguments)
            tap.ok(status == 2 and words in err, f"{arguments}: {err}")
        write(folder, "-k/base/kustomization.yml", "resources: [a.yaml]\n")
        write(folder, "-k/base/a.yaml", WRONG)
        write(folder, "-k/base/deeper/b.yaml", WRONG)
        write(folder, "-k/part/kustomization.yaml", "kind: Component\n")
        write(folder, "-k/prod/kustomization.yaml", "resources: [../base]\n")
        echo = f'echo "$*" >> {folder}/built; {echo}'
        for path, command in (programs(folder, kubectl=echo), "kustomize"), (programs(folder, kustomize=echo, kubectl="exit 1"), "build"):
            if command == "kustomize":
                path = programs(folder, kubectl=echo)
            else:
                path = programs(folder, kustomize=echo, kubectl="exit 1")
            status, got, err = rendered(build, folder, path, "--kustomize", "--", "-k")
            with open(os.path.join(folder, "built"), encoding="utf-8") as file:
                seen = file.read()
            os.remove(os.path.join(folder, "built"))
            tap.ok(status == 1 and seen == f"{command} ./-k/base\n{command} ./-k/prod\n", f"{command}: base and overlay are built, the component is not: {seen!r} {err}")
            tap.ok(got == [("-k/base/deeper/b.yaml", 3, "dns-subdomain")] + [(f"./-k/{name}/kustomization.yaml", line, rule) for name in ("base", "prod") for line, rule in ((7, "enum"), (12, "dns-subdomain"))],
                   f"{command}: {got}")
        status, _, err = rendered(build, folder, programs(folder), "--kustomize", "--", "-k")
        tap.ok(status == 2 and "there is neither kustomize nor kubectl in PATH" in err, f"neither kustomize nor kubectl: {err}")


# ---- hostile trees ----

def test_hostile(tap, build):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "good/a.yaml", WRONG)
        os.symlink("..", os.path.join(folder, "good/loop"))
        os.symlink("self.yaml", os.path.join(folder, "good/self.yaml"))
        done = run(build, folder, "good")
        tap.ok(done.returncode == 2 and done.stdout.count(b"\n") == 2 and b"self.yaml" in done.stderr, "links in circles")
        os.mkfifo(os.path.join(folder, "fifo.gitignore"))
        os.makedirs(os.path.join(folder, "fifo"))
        write(folder, "fifo/a.yaml", WRONG)
        os.mkfifo(os.path.join(folder, "fifo/.gitignore"))
        os.mkfifo(os.path.join(folder, "fifo/b.yaml"))
        tap.ok(read(build, folder, "fifo") == ["fifo/a.yaml"], "FIFOs as .gitignore and as manifest are not opened")
        write(folder, "huge/a.yaml", WRONG)
        write(folder, "huge/.gitignore", "b\n" * (1 << 20))
        done = run(build, folder, "huge")
        tap.ok(done.returncode == 2 and b"larger than 1 MiB" in done.stderr and done.stdout, f".gitignore of 2 MiB: {done.stderr[:120]!r}")
        write(folder, "huge/.gitignore", "b\n" * 10001)
        done = run(build, folder, "huge")
        tap.ok(done.returncode == 2 and b"more than 10000 patterns" in done.stderr, f"10,001 patterns: {done.stderr[:120]!r}")
        for n in range(300):
            write(folder, f"slow/{'a' * 240}{n}.yaml", WRONG)
        write(folder, "slow/.gitignore", ("*a" * 40 + "b\n" + "a*[!b]?" * 20 + "b\n" + "**/" + "a*" * 20 + "/**/b\n") * 300)
        began = time.monotonic()
        tap.ok(len(read(build, folder, "slow")) == 300 and time.monotonic() - began < 60, f"slow patterns: {time.monotonic() - began:.1f} s")
        for text in "${a" * 1000000, "{{ a" * 1000000, "a {{ " * 1000000 + "}}", "$" * 1000000, "a: |" * 1000000, "[${" * 1000000, "${a}b" * 1000000, "- " * 1000000 + "${a}":
            write(folder, "long/a.yaml", text + "\n}}\n[")
            began = time.monotonic()
            run(build, folder, "long")
            tap.ok(time.monotonic() - began < 20, f"{text[:8]} a million times: {time.monotonic() - began:.1f} s")
        deep = "deep" + "/d" * 70
        os.makedirs(os.path.join(folder, deep))
        done = run(build, folder, "deep")
        tap.ok(done.returncode == 2 and b"nested too deeply" in done.stderr, "deep folders")
        write(folder, "closed/a.yaml", WRONG)
        write(folder, "closed/.gitignore", "a.yaml\n")
        os.chmod(os.path.join(folder, "closed/.gitignore"), 0)
        if os.geteuid():
            done = run(build, folder, "closed")
            tap.ok(done.returncode == 2 and b"Permission denied" in done.stderr, "a .gitignore that may not be read")


def main(build, seed):
    tap = Tap()
    test_git(tap, build, seed)
    test_below(tap, build)
    test_names(tap, build)
    test_templates(tap, build)
    test_revision(tap, build)
    test_rendered(tap, build)
    test_hostile(tap, build)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
