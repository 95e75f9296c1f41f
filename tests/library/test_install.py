#!/usr/bin/env python3
"""`make install`, and a program that knows nothing but what was installed: header, libraries, pkg-config file.

    test_install.py BUILD
"""
import glob, os, re, shlex, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from tap import Tap
import header

VERSION, ABI = header.version(), header.abi()
COMPLETIONS = ["usr/share/bash-completion/completions/drawbridge", "usr/share/fish/vendor_completions.d/drawbridge.fish",
               "usr/share/zsh/site-functions/_drawbridge"]
SANITIZERS = {"build": [], "build-asan": ["-fsanitize=address,undefined"], "build-tsan": ["-fsanitize=thread"]}


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **options)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def flags(root, *what):
    env = dict(os.environ, PKG_CONFIG_LIBDIR=f"{root}/usr/lib/pkgconfig:/usr/lib/x86_64-linux-gnu/pkgconfig:/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig",
               PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1", PKG_CONFIG_ALLOW_SYSTEM_LIBS="1")
    status, text = run("pkg-config", f"--define-variable=prefix={root}/usr", f"--define-variable=libdir={root}/usr/lib", *what, "drawbridge", env=env)
    return shlex.split(text) if status == 0 else [text]


def exported(tap, root):
    for name, options in ("libdrawbridge.so", ["-D"]), ("libdrawbridge.a", ["-g"]):
        _, text = run("nm", *options, "--defined-only", f"{root}/usr/lib/{name}")
        names = {line.split()[-1].split("@")[0] for line in text.splitlines() if re.match(r"^[0-9a-f]+ [A-Z] ", line)} - {f"DRAWBRIDGE_{ABI}"}
        names = {name for name in names if not name.startswith(("__asan", "__odr_asan", "__tsan", "__ubsan", "asan."))}
        declared = set(header.function_names())
        tap.ok(names == declared and len(names) > 10, f"{name} exports what the header declares, and nothing else {names ^ declared or ''}")


def compiled(tap, root, sanitizers, static, name):
    program = f"{root}/{name}{'-static' if static else ''}"
    libraries = flags(root, "--cflags", "--libs", *(["--static"] if static else []))
    if static:
        libraries = ["-Wl,-Bstatic" if part == "-ldrawbridge" else part for part in libraries]
        libraries = [piece for part in libraries for piece in (["-Wl,-Bstatic", "-ldrawbridge", "-Wl,-Bdynamic"] if part == "-Wl,-Bstatic" else [part])]
    status, text = run("cc", "-Wall", "-Wextra", "-Werror", "-std=c11", *sanitizers, os.path.join(HERE, name + ".c"), "-o", program, *libraries)
    how = "static" if static else "shared"
    tap.ok(status == 0, f"{name}.c compiles and links, {how} {text}")
    return program


def example(tap, root, sanitizers, static):
    program, how = compiled(tap, root, sanitizers, static, "example"), "static" if static else "shared"
    env = dict(os.environ, LD_LIBRARY_PATH="" if static else f"{root}/usr/lib")
    status, text = run(program, os.path.join(ROOT, "tests", "manifests", "good.yaml"), env=env)
    tap.ok((status, text) == (0, ""), f"it finds nothing in good manifests, {how} {status} {text}")
    status, text = run(program, "bad.yaml", env=env, cwd=os.path.join(ROOT, "tests", "manifests"))
    tap.ok(status == 1 and "bad.yaml:7:18: spec.fsGroupPolicy: Unsupported value" in text and len(text.splitlines()) == 12, f"and everything in bad ones, {how} {status} {text}")
    needed = run("ldd", program, env=env)[1]
    tap.ok((f"libdrawbridge.so.{ABI}" in needed) != static and "cjson" not in needed and "crypto" not in needed, f"it loads what it should, {how} {needed}")


def example_of_matches(tap, root, sanitizers):
    program, whole = compiled(tap, root, sanitizers, False, "match"), f"{root}/match.yaml"
    with open(whole, "w") as file:
        for name in "memory.yaml", "gpus.yaml":
            with open(os.path.join(ROOT, "tests", "manifests", "match", name)) as part:
                file.write(part.read() + "---\n")
    status, text = run(program, whole, env=dict(os.environ, LD_LIBRARY_PATH=f"{root}/usr/lib"))
    tap.ok(status == 1 and text.startswith("memory, request gpu: not enough: 2 devices match; the selectors also take 1 tainted\n") and "node-a/gpu-2: too little memory. device." in text,
           f"the example of matches says what fits, and why others do not {status} {text}")


def example_of_allocations(tap, root, sanitizers):
    program, whole = compiled(tap, root, sanitizers, False, "allocate"), f"{root}/allocate.yaml"
    with open(whole, "w") as file:
        for name in "fleet.yaml", "serve.yaml":
            with open(os.path.join(ROOT, "tests", "manifests", "allocate", name)) as part:
                file.write(part.read() + "---\n")
    status, text = run(program, whole, env=dict(os.environ, LD_LIBRARY_PATH=f"{root}/usr/lib"))
    tap.ok(status == 1 and text.startswith("Deployment serve: fits\n  node-1: gpu: gpu.acme.dev/node-1/gpu-0\nDeployment serve: fits nowhere\n") and "  node-2: pool-unusable: request " in text,
           f"the example of allocations says what fits where, and why not {status} {text}")


def manual_pages():
    return [os.path.basename(path)[:-len(".md")] for path in glob.glob(os.path.join(ROOT, "src", "cli", "man", "*.md"))]


def no_lowdown(tap, config):
    """The rest is installed, and that there are no manual pages is said."""
    with tempfile.TemporaryDirectory() as root:
        status, text = run("make", "-C", ROOT, "--no-print-directory", "install", f"DESTDIR={root}", f"CONFIG={config}", "HAVE_LOWDOWN=")
        tap.ok(status == 0 and "no manual pages are installed, as lowdown is missing" in text, f"make install without lowdown says so {text[-300:]}")
        tap.ok(os.path.exists(f"{root}/usr/local/bin/drawbridge") and not os.path.exists(f"{root}/usr/local/share/man"), "and installs the rest")


def uninstalled(tap, root, config, installed):
    """Nothing of what was installed is left, and nothing else is gone."""
    def files():
        return {os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names}
    others = files() - installed
    status, text = run("make", "-C", ROOT, "--no-print-directory", "uninstall", f"DESTDIR={root}", "PREFIX=/usr", f"CONFIG={config}")
    tap.ok(status == 0 and others and files() == others, f"make uninstall leaves what was not installed, and nothing else {text[-300:]} {files() ^ others or ''}")


def main(build):
    tap = Tap()
    sanitizers = SANITIZERS.get(os.path.basename(build))
    if sanitizers is None:
        return tap.done()
    config = os.path.basename(build)[len("build-"):] or "release"
    with tempfile.TemporaryDirectory() as root:
        status, text = run("make", "-C", ROOT, "--no-print-directory", "install", f"DESTDIR={root}", "PREFIX=/usr", f"CONFIG={config}")
        tap.ok(status == 0 and "  CC" not in text, f"make install builds nothing anew {text[-500:] if status else ''}")
        installed = sorted(os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names)
        pages = [f"usr/share/man/man{name[-1]}/{name}" for name in manual_pages() if shutil.which("lowdown")]
        tap.ok(pages or "lowdown is missing" in text, f"without lowdown, make install says that there are no manual pages {text[-200:]}")
        tap.ok(installed == ["usr/bin/drawbridge", "usr/bin/drawbridge-certs", "usr/bin/drawbridge-serve", "usr/bin/kubectl-drawbridge",
                             "usr/bin/kubectl_complete-drawbridge", "usr/include/drawbridge.h", "usr/lib/libdrawbridge.a",
                             "usr/lib/libdrawbridge.so", f"usr/lib/libdrawbridge.so.{ABI}", f"usr/lib/libdrawbridge.so.{VERSION}", "usr/lib/pkgconfig/drawbridge.pc",
                             *sorted(pages + COMPLETIONS)], f"files {installed}")
        no_lowdown(tap, config)
        status, text = run(f"{root}/usr/bin/drawbridge", "certs", "--help")
        tap.ok(status == 0 and "init" in text, "the installed programs find each other")
        env = dict(os.environ, PATH=f"{root}/usr/bin{os.pathsep}{os.environ['PATH']}")
        tap.equal(run(f"{root}/usr/bin/kubectl-drawbridge", "--version", env=env), (0, f"drawbridge {VERSION}\n"), "so does kubectl's plugin")
        tap.ok(run(f"{root}/usr/bin/kubectl_complete-drawbridge", "explain", "storagecl", env=env)[1].startswith("storageclass\t"), "and what completes it")
        tap.ok(run("pkg-config", "--modversion", f"{root}/usr/lib/pkgconfig/drawbridge.pc")[1].strip() == VERSION, "pkg-config knows the version")
        exported(tap, root)
        example(tap, root, sanitizers, False)
        example(tap, root, sanitizers, True)
        example_of_matches(tap, root, sanitizers)
        example_of_allocations(tap, root, sanitizers)
        uninstalled(tap, root, config, set(installed))
    return tap.done()


sys.exit(main(os.path.abspath(sys.argv[1])))
