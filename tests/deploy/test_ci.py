#!/usr/bin/env python3
"""What stands ready for CI: the hook for pre-commit, GitHub, GitLab, Argo CD and krew, run as far as they run here.

    test_ci.py BUILD
"""
import glob, hashlib, json, os, re, shutil, sys, tarfile, tempfile

import yaml

import tools

CI = os.path.join(tools.DEPLOY, "ci")
GOOD = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: csi.acme.dev\n"
BAD = GOOD + "reclaimPolicy: Remove\n"
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return yaml.safe_load(file)


def write(folder, name, text, mode=0o644):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def has_format(build, name):
    return "is not" not in tools.run([os.path.join(build, "drawbridge"), "lint", "--format", name, os.devnull]).stderr


def check(tap, done, status, words, what):
    tap.ok(done.returncode == status and words in done.stdout + done.stderr, what, f"status {done.returncode}\n{done.stdout}{done.stderr}")


# ---- pre-commit ----

def pre_commit(folder):
    """pre-commit in a virtual environment, from PyPI; None, after it was said, when there is no way to it."""
    if shutil.which("pre-commit"):
        return shutil.which("pre-commit")
    place = os.path.join(folder, "venv")
    made = tools.run([sys.executable, "-m", "venv", place])
    done = made if made.returncode else tools.run([os.path.join(place, "bin", "pip"), "install", "-q", "pre-commit==4.*"])
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        tools.missing("pre-commit", f"the hook is run: it cannot be installed from PyPI ({why[:200]})")
        return None
    return os.path.join(place, "bin", "pre-commit")


def test_pre_commit(tap, build, folder):
    hooks = load(tools.ROOT, ".pre-commit-hooks.yaml")
    tap.ok([hook["id"] for hook in hooks] == ["drawbridge"] and hooks[0]["entry"] == "drawbridge lint", "the hook of pre-commit", hooks)
    program = pre_commit(folder)
    if not program:
        return
    env = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"], HOME=folder, PRE_COMMIT_HOME=os.path.join(folder, "cache"),
               GIT_CONFIG_GLOBAL=write(folder, "gitconfig", "[user]\nname = a\nemail = a@example.com\n[init]\ndefaultBranch = main\n"))
    git = lambda where, *words: tools.run(["git", "-C", where, *words], env=env)
    theirs, ours = os.path.join(folder, "drawbridge"), os.path.join(folder, "repository")
    write(theirs, ".pre-commit-hooks.yaml", open(os.path.join(tools.ROOT, ".pre-commit-hooks.yaml"), encoding="utf-8").read())
    for where in theirs, ours:
        os.makedirs(where, exist_ok=True)
        git(where, "init", "-q")
    git(theirs, "add", "-A"), git(theirs, "commit", "-q", "-m", "a"), git(theirs, "tag", "v0.1.0")
    write(ours, ".pre-commit-config.yaml", json.dumps({"repos": [{"repo": theirs, "rev": "v0.1.0", "hooks": [{"id": "drawbridge", "args": ["manifests/"]}]}]}))
    for text, status, words in (GOOD, 0, "Passed"), (BAD, 1, "[enum]"):
        write(ours, "manifests/class.yaml", text)
        git(ours, "add", "-A")
        check(tap, tools.run([program, "run", "--all-files"], cwd=ours, env=env), status, words, f"pre-commit run: {words}")
    check(tap, tools.run([program, "validate-manifest", os.path.join(tools.ROOT, ".pre-commit-hooks.yaml")], env=env), 0, "", "pre-commit takes the hook's file")


# ---- GitHub ----

def fill(text, inputs):
    return re.sub(r"\$\{\{ *inputs\.([\w-]+) *\}\}", lambda found: inputs[found[1]], text)


def run_step(step, inputs, env, cwd):
    env = dict(env, **{name: fill(value, inputs) for name, value in step.get("env", {}).items()})
    return tools.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=env, cwd=cwd)


def test_github(tap, build, folder):
    action = load(CI, "github", "action.yml")
    steps = action["runs"]["steps"]
    good = action["runs"]["using"] == "composite" and all(step["shell"] == "bash" and step["name"] for step in steps)
    tap.ok(good and action["name"] and action["description"], "the action is a composite one")
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(steps)))
    tap.equal(used, set(action["inputs"]), "each input of the action is used")
    defaults = {name: value["default"] for name, value in action["inputs"].items()}
    env = dict(os.environ, GITHUB_ACTION_PATH=os.path.join(CI, "github"), GITHUB_PATH=os.path.join(folder, "path"))
    write(folder, "bin/make", f"#!/bin/sh\necho \"$@\" >> {folder}/made\n", 0o755)
    for name in "bash", "dirname", "nproc":
        os.symlink(shutil.which(name), os.path.join(folder, "bin", name))
    done = run_step(steps[0], defaults, dict(env, PATH=os.path.join(folder, "bin")), folder)
    made = open(os.path.join(folder, "made")).read() if done.returncode == 0 else done.stderr
    tap.ok(f"-C {tools.ROOT} packages\n-C {tools.ROOT} -j" in made and open(os.path.join(folder, "path")).read() == f"{tools.ROOT}/build\n", "the action builds drawbridge", made)
    env["PATH"] = build + os.pathsep + env["PATH"]
    check(tap, run_step(steps[0], defaults, env, folder), 0, "", "and does not where it is there")
    if not has_format(build, "github"):
        tools.missing("format github", "the action validates")
        return
    write(folder, "class.yaml", GOOD)
    check(tap, run_step(steps[1], dict(defaults, path="class.yaml"), env, folder), 0, "", "the action passes a good class")
    write(folder, "class.yaml", BAD)
    inputs = dict(defaults, path="class.yaml", sarif="drawbridge.sarif", **{"kubernetes-version": "1.35", "arguments": "--unknown-fields warn"})
    check(tap, run_step(steps[1], inputs, env, folder), 1, "::error file=class.yaml", "and refuses a bad one")
    report = json.load(open(os.path.join(folder, "drawbridge.sarif")))
    tap.equal([result["ruleId"] for result in report["runs"][0]["results"]], ["enum"], "with a SARIF report")


# ---- GitLab ----

def test_gitlab(tap, build, folder):
    job = load(CI, "gitlab", "drawbridge.yml")["drawbridge"]
    known = {"stage", "image", "variables", "before_script", "script", "artifacts", "rules"}
    tap.ok(set(job) == known and all(isinstance(value, str) for value in job["variables"].values()), "GitLab's job", job)
    env = {**os.environ, **job["variables"], "DRAWBRIDGE_PATHS": "class.yaml", "PATH": build + os.pathsep + os.environ["PATH"]}
    check(tap, tools.run(["sh", "-ec", "\n".join(job["before_script"])], env=env, cwd=folder), 0, "", "the job builds nothing where drawbridge is there")
    report = job["artifacts"]["reports"]["codequality"]
    if not has_format(build, "gitlab"):
        tools.missing("format gitlab", "the job validates")
        return
    for text, status, rules in (GOOD, 0, []), (BAD, 1, ["enum"]):
        write(folder, "class.yaml", text)
        check(tap, tools.run(["sh", "-ec", "\n".join(job["script"])], env=env, cwd=folder), status, "", f"the job ends with {status}")
        entries = json.load(open(os.path.join(folder, report)))
        needed = {"description", "check_name", "fingerprint", "severity", "location"}
        tap.ok([entry["check_name"] for entry in entries] == rules and all(needed <= set(entry) for entry in entries), "its report has what GitLab needs", entries)


# ---- Argo CD ----

def test_argocd(tap, build, folder):
    plugin, patch = load(CI, "argocd", "plugin.yaml"), load(CI, "argocd", "patch.yaml")
    generate = plugin["spec"]["generate"]
    tap.ok((plugin["apiVersion"], plugin["kind"]) == ("argoproj.io/v1alpha1", "ConfigManagementPlugin") and set(plugin["spec"]) <= {"version", "discover", "parameters", "generate", "init", "preserveFileMode"},
           "the plugin of Argo CD", plugin)
    pod = patch["spec"]["template"]["spec"]
    mounts = {mount["mountPath"]: mount for mount in pod["containers"][0]["volumeMounts"]}
    tap.ok(mounts["/tmp"] and [mount for path, mount in mounts.items() if path.endswith("/config/plugin.yaml") and mount["subPath"] == "plugin.yaml"], "its sidecar", mounts)
    env = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"], ARGOCD_APP_NAME="a", ARGOCD_APP_NAMESPACE="a")
    for text, version, status, words in ((GOOD, "", 0, "StorageClass"), (BAD, "", 1, "[enum]"), (OTHER, "", 0, "ConfigMap"), (GOOD, "1.34..1.36", 0, "1.34 to 1.36")):
        write(folder, "app/class.yaml", text)
        done = tools.run([*generate["command"], *generate["args"]], env=dict(env, PARAM_KUBERNETES_VERSION=version), cwd=os.path.join(folder, "app"))
        check(tap, done, status, words, f"generate ends with {status}, {words}")
        tap.equal(tools.objects(done.stdout) if status == 0 else done.stdout, [yaml.safe_load(text)] if status == 0 else "", "and prints what is good, nothing else")
    if shutil.which("kubectl"):
        write(folder, "bin/kustomize", "#!/bin/sh\nshift\nexec kubectl kustomize \"$@\"\n", 0o755)
        write(folder, "app/kustomization.yaml", "resources: [class.yaml]\nnamePrefix: b-\n")
        done = tools.run([*generate["command"], *generate["args"]], env=dict(env, PATH=os.path.join(folder, "bin") + os.pathsep + env["PATH"]), cwd=os.path.join(folder, "app"))
        check(tap, done, 0, "b-a", "a kustomization is rendered")
    else:
        tools.missing("kubectl", "the plugin renders a kustomization")


# ---- krew ----

def test_krew(tap, build, folder):
    pack = lambda name: tools.run([sys.executable, os.path.join(tools.DEPLOY, "krew", "build.py"), build, os.path.join(folder, name)])
    check(tap, pack("krew"), 0, "", "the plugin is packed")
    pack("again")
    manifest = load(folder, "krew", "drawbridge.yaml")
    spec, platform = manifest["spec"], manifest["spec"]["platforms"][0]
    archive = glob.glob(os.path.join(folder, "krew", "*.tar.gz"))[0]
    data = open(archive, "rb").read()
    tap.ok(data == open(os.path.join(folder, "again", os.path.basename(archive)), "rb").read(), "twice the same archive")
    good = ((manifest["apiVersion"], manifest["kind"]) == ("krew.googlecontainertools.github.com/v1alpha2", "Plugin")
            and re.fullmatch(r"v\d+\.\d+\.\d+.*", spec["version"]) and spec["homepage"] and spec["description"]
            and 0 < len(spec["shortDescription"]) <= 50 and platform["uri"].endswith("/" + os.path.basename(archive))
            and platform["sha256"] == hashlib.sha256(data).hexdigest())
    tap.ok(good, "krew's manifest", manifest)
    place = os.path.join(folder, "unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(place)
    os.symlink(os.path.join(place, platform["bin"]), os.path.join(place, "kubectl-drawbridge"))
    env = dict(os.environ, PATH=place + os.pathsep + os.environ["PATH"], KUBECONFIG=os.devnull)
    if tools.needed("kubectl", "the packed plugin runs"):
        check(tap, tools.run(["kubectl", "drawbridge", "version"], env=env), 0, "Kubernetes 1.", "the packed plugin runs")
        check(tap, tools.run(["kubectl", "drawbridge", "certs", "--help"], env=env), 0, "init", "so do the programs beside it")
    krew = tools.needed("krew", "krew installs the plugin")
    if krew:
        env = dict(os.environ, KREW_ROOT=os.path.join(folder, "root"), HOME=folder)
        env["PATH"] = os.path.join(folder, "root", "bin") + os.pathsep + env["PATH"]
        done = tools.run([krew, "install", f"--manifest={os.path.join(folder, 'krew', 'drawbridge.yaml')}", f"--archive={archive}"], env=env)
        check(tap, done, 0, "Installed plugin: drawbridge", "krew installs the plugin")
        check(tap, tools.run(["kubectl", "drawbridge", "certs", "--help"], env=env), 0, "init", "and kubectl finds it")


def main(build):
    tap = tools.Tap()
    for test in test_pre_commit, test_github, test_gitlab, test_argocd, test_krew:
        with tempfile.TemporaryDirectory() as folder:
            test(tap, build, folder)
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
