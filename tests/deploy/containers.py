"""Images and containers on this machine, without a registry: the base image is built from Debian's packages, and podman
uses runc, which also works with control groups of version 1."""
import json
import os
import subprocess
import sys

from places import CACHE, ROOT, find, skip

# Our limits of processes and open files may be below podman's defaults.
RUN = ["podman", "run", "--runtime", "runc", "--ulimit", "nofile=20000:20000", "--ulimit", "nproc=20000:20000",
       "--network", "host", "--pull", "never"]
# The restrictions of the manifests.
HARDENED = ["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp:size=64m"]
# The parts that Debian's slim images omit.
SLIM = ["doc", "man", "info", "locale", "groff", "lintian", "linda"]


def require():
    if os.geteuid() != 0:
        skip("containers are made and run by root here")
    missing = [tool for tool in ("buildah", "podman", "runc", "mmdebstrap") if not find(tool)]
    if missing:
        skip(f"there is no {', '.join(missing)} (./dev install deploy)")


def run(*words, check=True, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def release():
    with open("/etc/os-release", encoding="utf-8") as lines:
        return dict(line.rstrip().split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"].strip('"')


def base_image():
    """The name of an image of the same Debian as this machine, built once."""
    name = f"localhost/gamehub-base:{release()}"
    archive = CACHE / f"base-{release()}.tar"
    if not archive.exists():
        print(f"making {archive.name} of Debian's packages", file=sys.stderr, flush=True)
        fresh = archive.with_suffix(f".{os.getpid()}.tar")
        exclude = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in SLIM]
        run("mmdebstrap", "--variant=minbase", *exclude, release(), fresh, timeout=480)
        fresh.rename(archive)
        run("podman", "rmi", "--force", name, check=False)
    if run("podman", "image", "exists", name, check=False).returncode:
        run("podman", "import", "--quiet", archive, name)
    return name


def build_image(program, tag):
    """Builds the last stage of the Dockerfile, with a program that was built on this Debian."""
    run(ROOT / "dev", "image", "--builder", "buildah", "--tag", tag, "--base", base_image(), "--program", program,
        "--", "--pull-never", "--network", "host", env={**os.environ, "BUILDAH_ISOLATION": "chroot"}, timeout=300)


def inspect(what):
    return json.loads(run("podman", "inspect", what).stdout)[0]
