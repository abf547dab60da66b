"""Kubernetes' Pod Security Standard `restricted`, in full, and our additional requirements."""
from manifests import of_kind, workloads

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


def pods(objects):
    return [each["spec"]["template"]["spec"] for each in workloads(objects)] + [
        each["spec"] for each in of_kind(objects, "Pod")]


def restricted(pod):
    outer = pod.get("securityContext", {})
    for name in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(name):
            yield f"{name} is on"
    for volume in pod.get("volumes", []):
        for kind in set(volume) - {"name"} - VOLUMES:
            yield f"volume {volume['name']} is a {kind}"
    if "sysctls" in outer:
        yield "sysctls are set"
    if outer.get("runAsUser") == 0:
        yield "the pod runs as root"
    for box in [*pod.get("initContainers", []), *pod.get("ephemeralContainers", []), *pod["containers"]]:
        own = box.get("securityContext", {})
        has = {**outer, **own}
        if own.get("allowPrivilegeEscalation") is not False:
            yield "privileges can be escalated"
        if own.get("privileged"):
            yield "the container is privileged"
        if "ALL" not in own.get("capabilities", {}).get("drop", []):
            yield "capabilities are kept"
        if set(own.get("capabilities", {}).get("add", [])) - {"NET_BIND_SERVICE"}:
            yield "capabilities are added"
        if has.get("runAsNonRoot") is not True or has.get("runAsUser") == 0:
            yield "the container may run as root"
        if has.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
            yield "there is no seccomp profile"
        if own.get("procMount", "Default") != "Default":
            yield "/proc is unmasked"
        if any("hostPort" in port for port in box.get("ports", [])):
            yield "a port of the host is taken"
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if "host" in box.get(probe, {}).get("httpGet", {}):
                yield f"{probe} asks another host"


def beyond(pod):
    if pod.get("automountServiceAccountToken") is not False:
        yield "the cluster's API is within reach"
    if pod.get("securityContext", {}).get("runAsUser", 0) < 10000:
        yield "the user may be one of the node's"
    for box in [*pod.get("initContainers", []), *pod["containers"]]:
        if box.get("securityContext", {}).get("readOnlyRootFilesystem") is not True:
            yield "the root file system can be written"
        wanted, allowed = (box.get("resources", {}).get(name, {}) for name in ("requests", "limits"))
        if not allowed.get("memory") or wanted.get("memory") != allowed["memory"]:
            yield "memory that is asked for is not what is allowed"
        if not allowed.get("cpu"):
            yield "there is no CPU quota, which the loops are counted by"
        if not wanted.get("ephemeral-storage") or not allowed.get("ephemeral-storage"):
            yield "the log may fill the node's disk"
        if ":" not in box["image"].rsplit("/", maxsplit=1)[-1] or box["image"].endswith(":latest"):
            yield f"the image {box['image']} has no version"


def complaints(objects):
    enforced = [each["metadata"].get("labels", {}).get("pod-security.kubernetes.io/enforce")
                for each in of_kind(objects, "Namespace")]
    open_doors = [] if enforced == ["restricted"] else ["the namespace lets in pods that are not restricted"]
    return open_doors + [what for pod in pods(objects) for check in (restricted, beyond) for what in check(pod)]
