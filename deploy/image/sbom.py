"""What the image is made of, as SPDX 2.3: from what dpkg knows of the packages that the shared libraries come from."""
import hashlib, json, os, re, subprocess

# Names in Debian's machine-readable copyright files, where SPDX has one that means the same.
LICENCES = {
    "apache-2": "Apache-2.0", "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "expat": "MIT", "mit": "MIT",
    "zlib": "Zlib", "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only", "gpl-3+": "GPL-3.0-or-later",
    "lgpl-2": "LGPL-2.0-only", "lgpl-2+": "LGPL-2.0-or-later", "lgpl-2.1": "LGPL-2.1-only", "lgpl-2.1+": "LGPL-2.1-or-later",
    "lgpl-3": "LGPL-3.0-only", "lgpl-3+": "LGPL-3.0-or-later",
}


def owner(path):
    """The package that has the file, which dpkg may know by its path before /lib became /usr/lib."""
    for name in path, path.removeprefix("/usr"):
        done = subprocess.run(["dpkg-query", "--search", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0]
    raise SystemExit(f"no package has {path}")


def packages(libraries):
    """`libraries`: files of this machine by their path in the image. Returns what is known of each package, by its name."""
    found = {}
    for path, source in sorted(libraries.items()):
        qualified = owner(source)
        package = found.setdefault(qualified.split(":")[0], {"files": []})
        package["files"].append(path)
        if "stanza" not in package:
            package.update(describe(qualified))
    return found


def describe(qualified):
    stanza = subprocess.run(["dpkg-query", "--status", qualified], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", stanza, re.M))
    path = f"/usr/share/doc/{fields['Package']}/copyright"
    text = ""
    if os.path.isfile(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    return {"name": fields["Package"], "version": fields["Version"], "architecture": fields["Architecture"], "maintainer": fields["Maintainer"],
            "source": fields.get("Source", fields["Package"]).split(" ")[0], "stanza": stanza, "copyright": text, "licence": licence(text)}


def licence(text):
    """When all of the source but Debian's own files has the same, and SPDX has it, too, or a choice or combination of such."""
    stanzas = re.findall(r"^Files: *(.+)\n(?:.*\n)*?License: *(.+)$", text, re.M)
    stated = {name.strip() for files, name in stanzas if not re.fullmatch(r"(debian/\S*\s*)+", files.strip())}
    if len(stated) != 1:
        return "NOASSERTION"
    words = re.split(r"\s+(or|and)\s+", stated.pop(), flags=re.I)
    names = [LICENCES.get(word.lower()) for word in words[::2]]
    if None in names or len({word.lower() for word in words[1::2]}) > 1:
        return "NOASSERTION"
    return f" {words[1].upper()} ".join(names) if len(names) > 1 else names[0]


def spdx_id(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def package_entry(package, distribution):
    reference = f"pkg:deb/debian/{package['name'].replace('+', '%2B')}@{package['version'].replace('+', '%2B')}" \
                f"?arch={package['architecture']}&distro={distribution}"
    return {"SPDXID": spdx_id("Package", package["name"]), "name": package["name"], "versionInfo": package["version"],
            "supplier": "Organization: Debian", "originator": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "sourceInfo": "built by Debian from the source package " + package["source"], "licenseConcluded": "NOASSERTION",
            "licenseDeclared": package["licence"], "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}]}


def own_entry(about):
    return {"SPDXID": spdx_id("Package", "drawbridge"), "name": "drawbridge", "versionInfo": about["version"], "supplier": "NOASSERTION",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
            "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
            **({"sourceInfo": "commit " + about["revision"]} if about["revision"] else {})}


def file_entry(path, content):
    return {"SPDXID": spdx_id("File", path), "fileName": "./" + path, "copyrightText": "NOASSERTION", "licenseConcluded": "NOASSERTION",
            "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                          {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}]}


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def document(about, found, files):
    """`files`: (mode, content) by path in the image. Only what runs is listed file by file."""
    own = spdx_id("Package", "drawbridge")
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", own)]
    holders = {path: own for path in files if path.startswith("usr/bin/")}
    for name, package in sorted(found.items()):
        relations.append(relation(own, "DEPENDS_ON", spdx_id("Package", name)))
        holders.update({path: spdx_id("Package", name) for path in package["files"]})
    # Not CONTAINS, which SPDX keeps for packages whose files are all listed.
    relations += [relation(spdx_id("File", path), "GENERATED_FROM", holder) for path, holder in sorted(holders.items())]
    entries = [file_entry(path, files[path][1]) for path in sorted(holders)]
    unique = hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()[:32]
    release = dict(re.findall(r'^([A-Z_]+)="?([^"\n]*)', files["etc/os-release"][1].decode(), re.M))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"drawbridge-{about['version']}-image",
            "documentNamespace": f"https://drawbridge.dev/spdx/image-{about['version']}-{unique}",
            "creationInfo": {"created": about["created"], "creators": ["Tool: drawbridge-image-" + about["version"]]},
            "packages": [own_entry(about)] + [package_entry(found[name], f"{release.get('ID', 'debian')}-{release.get('VERSION_ID', '')}") for name in sorted(found)],
            "files": entries, "relationships": relations}
