# SPDX-License-Identifier: Apache-2.0
"""Does what Containerfile says without a container engine: each stage in a root made by mmdebstrap, its commands by
chroot, and then tries the result as the user of the container. Not part of `make check`: needs root, mmdebstrap, git and
a Debian mirror.

    python3 tests/container-root.py [--keep]
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUITES = {"docker.io/library/debian:12-slim": "bookworm"}
SYSTEM = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}


def instructions():
    """Pairs (word, rest) of the file, lines that go on joined."""
    with open(os.path.join(TOP, "Containerfile")) as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M).replace("\\\n", " ")
    for line in filter(str.strip, text.split("\n")):
        word, rest = line.split(None, 1)
        yield word, rest.strip()


class Stage:
    def __init__(self, scratch, image, number):
        self.root = os.path.join(scratch, "root%d" % number)
        self.folder, self.user, self.entry, self.words = "/", "root", [], []
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", SUITES[image], self.root], check=True)
        shutil.copy("/etc/resolv.conf", os.path.join(self.root, "etc/resolv.conf"))

    def run(self, command, **settings):
        """@command is a list of words, run as the stage's user in its folder."""
        inside = "cd %s && exec %s" % (shlex.quote(self.folder), shlex.join(command))
        with_proc = "mount -t proc proc %s/proc && mount --bind /dev %s/dev && exec chroot --userspec=%s %s sh -c %s" % (
            shlex.quote(self.root), shlex.quote(self.root), self.user, shlex.quote(self.root), shlex.quote(inside))
        home = "/root" if self.user == "root" else "/home/" + self.user
        return subprocess.run(["unshare", "--mount", "sh", "-c", with_proc], env=dict(SYSTEM, HOME=home),
                              stdin=subprocess.DEVNULL, **settings)

    def path(self, path):
        return os.path.join(self.root, path.lstrip("/"))


def copy_sources(target):
    os.makedirs(target, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", TOP, target + "/clone"], check=True)
    subprocess.run("mv %s/clone/* %s/clone/.[a-z]* %s && rmdir %s/clone" % ((shlex.quote(target),) * 4), shell=True, check=True)


def build(scratch):
    stages, names = [], {}
    for word, rest in instructions():
        print("container-root: %s %s" % (word, rest), flush=True)
        words = rest.split()
        if word == "FROM":
            stages.append(Stage(scratch, words[0], len(stages)))
            if len(words) == 3:
                names[words[2]] = stages[-1]
            continue
        stage = stages[-1]
        if word == "RUN":
            stage.run(["sh", "-c", rest], check=True)
        elif word == "COPY" and words[0].startswith("--from="):
            source = names[words[0][len("--from="):]].path(words[1])
            subprocess.run(["cp", "-a", source + "/.", stage.path(words[2])], check=True)
        elif word == "COPY" and words[0] == ".":
            copy_sources(stage.path(words[1]))
        elif word == "WORKDIR":
            stage.folder = rest
            os.makedirs(stage.path(rest), exist_ok=True)
        elif word == "USER":
            stage.user = rest
        elif word in ("ENTRYPOINT", "CMD"):
            parsed = json.loads(rest)
            stage.entry, stage.words = (parsed, stage.words) if word == "ENTRYPOINT" else (stage.entry, parsed)
        else:
            sys.exit("container-root: what is '%s'?" % word)
    return stages[-1]


def check(stage):
    shutil.copy(os.path.join(TOP, "debian/tests/smoke"), stage.path("/tmp/smoke"))
    shown = stage.run(stage.entry + stage.words, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "Usage:" in shown, shown
    who = stage.run(["id", "-u"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert who.strip() == "1000", who
    stage.run(["sh", "/tmp/smoke", "--without-library"], check=True)
    stage.run(stage.entry + ["stats", "--top", "3", "/usr/share/tracetool/examples/tau-mpi4"], check=True)
    print("container-root: done")


def main():
    scratch = tempfile.mkdtemp()
    try:
        check(build(scratch))
    finally:
        if "--keep" in sys.argv:
            print("container-root: kept %s" % scratch)
        else:
            shutil.rmtree(scratch)


main()
