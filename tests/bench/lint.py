#!/usr/bin/env python3
"""Measures `drawbridge lint` on 10,000 small files, beside kubeconform where that is installed, and on one file.

    lint.py [--rounds N] [--kubeconform PROGRAM] BUILD

kubeconform gets local schemas of the same four kinds, written here: it looks at types, required fields and unknown ones, and at nothing else.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile, time

FILES = 10000
STRING, BOOLEAN, INTEGER = {"type": "string"}, {"type": "boolean"}, {"type": "integer"}
STRINGS = {"type": "object", "additionalProperties": STRING}


def record(required=(), **fields):
    return {"type": "object", "properties": fields, "additionalProperties": False, **({"required": list(required)} if required else {})}


def many(item):
    return {"type": "array", "items": item}


def kind(**fields):
    return record(["apiVersion", "kind", "metadata"], apiVersion=STRING, kind=STRING, metadata=record(name=STRING, namespace=STRING, labels=STRINGS, annotations=STRINGS), **fields)


REQUEST = record(["deviceClassName"], deviceClassName=STRING, allocationMode=STRING, count=INTEGER, tolerations=many(record(key=STRING, operator=STRING)))
ATTRIBUTE = record(string=STRING, int=INTEGER, bool=BOOLEAN, version=STRING)
DEVICE = record(["name"], name=STRING, attributes={"type": "object", "additionalProperties": ATTRIBUTE}, capacity={"type": "object", "additionalProperties": record(["value"], value=STRING)})
SCHEMAS = {
    "csidriver": kind(spec=record(attachRequired=BOOLEAN, podInfoOnMount=BOOLEAN, fsGroupPolicy=STRING, storageCapacity=BOOLEAN, requiresRepublish=BOOLEAN, volumeLifecycleModes=many(STRING))),
    "storageclass": kind(provisioner=STRING, parameters=STRINGS, reclaimPolicy=STRING, volumeBindingMode=STRING, allowVolumeExpansion=BOOLEAN, mountOptions=many(STRING)),
    "resourceclaim": kind(spec=record(devices=record(requests=many(record(["name"], name=STRING, exactly=REQUEST))))),
    "resourceslice": kind(spec=record(["driver", "pool"], driver=STRING, nodeName=STRING, devices=many(DEVICE),
                                      pool=record(["name", "generation", "resourceSliceCount"], name=STRING, generation=INTEGER, resourceSliceCount=INTEGER))),
}

CSI_DRIVER = """# The driver of team %(i)d.
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: disk-%(i)d.csi.acme.dev
  labels:
    app.kubernetes.io/name: disk
    app.kubernetes.io/instance: disk-%(i)d
spec:
  attachRequired: true
  podInfoOnMount: false
  fsGroupPolicy: File
  requiresRepublish: false
  volumeLifecycleModes:
  - Persistent
"""
STORAGE_CLASS = """apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast-%(i)d
  annotations:
    description: "Volumes of SSDs for the databases of team %(i)d; grow them by the claim"
  labels:
    app.kubernetes.io/name: disk
    app.kubernetes.io/instance: disk-%(i)d
provisioner: disk-%(i)d.csi.acme.dev
parameters:
  type: ssd
  replicas: "3"
  encrypted: "true"
reclaimPolicy: Delete
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
mountOptions:
- noatime
- discard
"""
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: train-%(i)d
  namespace: team-%(i)d
  labels:
    app.kubernetes.io/name: train
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.acme.dev
        allocationMode: ExactCount
        count: 2
        tolerations:
        - key: acme.dev/maintenance
          operator: Exists
    - name: nic
      exactly:
        deviceClassName: nic.acme.dev
        allocationMode: ExactCount
        count: 1
"""
SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-%(i)d-gpu
spec:
  driver: gpu.acme.dev
  nodeName: node-%(i)d
  pool:
    name: node-%(i)d
    generation: 1
    resourceSliceCount: 1
  devices:
"""
SLICE_DEVICE = """  - name: gpu-%d
    attributes:
      model:
        string: a100
      index:
        int: %d
      driverVersion:
        version: 1.2.3
      healthy:
        bool: true
    capacity:
      memory:
        value: 40Gi
"""
KINDS = (CSI_DRIVER, STORAGE_CLASS, CLAIM, SLICE + "".join(SLICE_DEVICE % (d, d) for d in range(6)))


def write_files(folder):
    size = 0
    os.mkdir(os.path.join(folder, "manifests"))
    for i in range(FILES):
        text = KINDS[i % len(KINDS)] % {"i": i}
        size += len(text)
        with open(os.path.join(folder, "manifests", f"{i:05}.yaml"), "w") as file:
            file.write(text)
    os.mkdir(os.path.join(folder, "schemas"))
    for name, schema in SCHEMAS.items():
        with open(os.path.join(folder, "schemas", name + ".json"), "w") as file:
            json.dump(schema, file)
    return size


def run(command, folder):
    """(seconds on the wall, seconds of processors, MiB)"""
    begin = time.monotonic()
    program = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = program.stdout.read()
    _, status, usage = os.wait4(program.pid, 0)
    seconds = time.monotonic() - begin
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        raise SystemExit(f"{command}: status {program.returncode}\n{said[-2000:]}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def find_kubeconform(given):
    if given or shutil.which("kubeconform"):
        return given or shutil.which("kubeconform")
    if not shutil.which("go"):
        return None
    path = os.path.join(subprocess.run(["go", "env", "GOPATH"], stdout=subprocess.PIPE, text=True).stdout.strip(), "bin", "kubeconform")
    return path if os.path.exists(path) else None


def commands(build, kubeconform):
    lint = [os.path.join(os.path.abspath(build), "drawbridge"), "lint", "--no-config"]
    yield "drawbridge lint", lint + ["-j", "2", "manifests"]
    yield "drawbridge lint -j 1", lint + ["-j", "1", "manifests"]
    yield "drawbridge lint, one file", lint + ["manifests/00000.yaml"]
    if kubeconform:
        schemas = ["-strict", "-schema-location", "schemas/{{.ResourceKind}}.json"]
        yield "kubeconform -n 2", [kubeconform, "-n", "2", *schemas, "manifests"]
        yield "kubeconform, one file", [kubeconform, *schemas, "manifests/00000.yaml"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kubeconform")
    parser.add_argument("build")
    arguments = parser.parse_args()
    kubeconform = find_kubeconform(arguments.kubeconform)
    with tempfile.TemporaryDirectory() as folder:
        size = write_files(folder)
        results = {name: [] for name, _ in commands(arguments.build, kubeconform)}
        for _ in range(arguments.rounds):  # each has its turn in each round
            for name, command in commands(arguments.build, kubeconform):
                results[name].append(run(command, folder))
    lines = [f"{FILES:,} files, {size / 1e6:.1f} MB of YAML; medians of {arguments.rounds} rounds" + ("" if kubeconform else "; there is no kubeconform here"), "",
             "| | seconds | of processors | MiB |", "|---|---|---|---|"]
    for name, runs in results.items():
        lines.append(f"| {name} | {statistics.median(one[0] for one in runs):.3f} | {statistics.median(one[1] for one in runs):.3f} | {max(one[2] for one in runs):.0f} |")
    if kubeconform:
        pairs = list(zip(results["drawbridge lint"], results["kubeconform -n 2"]))
        wall, processor = (statistics.median(other[i] / own[i] for own, other in pairs) for i in (0, 1))
        lines += ["", f"kubeconform takes {wall:.1f} times as long, and {processor:.1f} times the time of processors."]
    report = "\n".join(lines) + "\n"
    print(report)
    os.makedirs(os.path.join(arguments.build, "bench"), exist_ok=True)
    with open(os.path.join(arguments.build, "bench", "lint.md"), "w") as file:
        file.write(report)


if __name__ == "__main__":
    sys.exit(main())
