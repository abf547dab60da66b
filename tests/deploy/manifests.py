"""The manifests as kustomize builds them."""
import os
import subprocess
import tempfile
from pathlib import Path

import yaml

from places import ROOT, find, skip

KUBERNETES = ROOT / "deploy/kubernetes"
OVERLAYS = sorted(path.name for path in (KUBERNETES / "overlays").iterdir())


def kustomize():
    """The command; kubectl of Debian 12 is too old for components."""
    if find("kustomize"):
        return ["kustomize", "build"]
    if find("kubectl"):
        version = subprocess.run(["kubectl", "version", "--client", "-o", "yaml"], capture_output=True, text=True,
                                 check=False).stdout
        if str((yaml.safe_load(version) or {}).get("kustomizeVersion", "")) >= "v5":
            return ["kubectl", "kustomize"]
    return skip("there is no kustomize, nor a kubectl that has version 5 of it "
                "(Debian 13: ./dev install kustomize; Debian 12: any recent kubectl)")


def build(folder):
    made = subprocess.run([*kustomize(), folder], capture_output=True, text=True, check=False)
    if made.returncode:
        raise AssertionError(f"{folder} can't be built: {made.stderr}")
    if made.stderr:
        raise AssertionError(f"{folder}: {made.stderr}")
    return [each for each in yaml.safe_load_all(made.stdout) if each]


def render(overlay):
    """The objects of an overlay."""
    return build(KUBERNETES / "overlays" / overlay)


def compose(resource, *components):
    """The objects of an overlay, or of the base, with more components."""
    with tempfile.TemporaryDirectory() as folder:
        # kustomize takes no absolute paths.
        def path(*parts):
            return os.path.relpath(KUBERNETES.joinpath(*parts), Path(folder).resolve())
        Path(folder, "kustomization.yaml").write_text(yaml.safe_dump({
            "namespace": "gamehub", "resources": [path(resource)],
            "images": [{"name": "gamehub", "newName": "localhost/gamehub", "newTag": "dev"}],
            "components": [path("components", each) for each in components]}))
        return build(folder)


def load(name):
    """The object of a file that belongs to no overlay."""
    return yaml.safe_load((KUBERNETES / name).read_text())


def of_kind(objects, kind):
    return [each for each in objects if each["kind"] == kind]


def the(objects, kind):
    found = of_kind(objects, kind)
    assert len(found) == 1, f"{len(found)} of {kind}"
    return found[0]


def workloads(objects):
    """What runs the hubs: a StatefulSet, or the Deployment of a cluster."""
    return of_kind(objects, "StatefulSet") + of_kind(objects, "Deployment")


def workload(objects):
    found = workloads(objects)
    assert len(found) == 1, f"{len(found)} workloads"
    return found[0]


def configuration(objects):
    """The ConfigMap that the hub reads."""
    return next(each for each in of_kind(objects, "ConfigMap") if "gamehub.conf" in each["data"])
