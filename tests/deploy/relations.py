"""Names in manifests that must be equal in two places, which no schema and no API server checks."""
import re
import urllib.parse

from manifests import of_kind, workloads

# The operator creates it, as the README says; no manifest contains a secret.
MADE_BY_HAND = {"gamehub-admin", "gamehub-database"}
# The annotation by which ingress-nginx sends a client to the same pod.
BY_CLIENT = {"nginx.ingress.kubernetes.io/upstream-hash-by": "$remote_addr"}


def selects(selector, labels):
    return all(labels.get(key) == value for key, value in selector.items())


# The label that the StatefulSet's controller sets on each pod.
POD_NAME = "statefulset.kubernetes.io/pod-name"


def pods(objects):
    return [(each["metadata"]["name"], each["spec"]["template"]) for each in workloads(objects)]


def databases(objects):
    """The pods that CloudNativePG makes of its resources, as far as others refer to them."""
    return [{"metadata": {"labels": {"cnpg.io/cluster": each["metadata"]["name"]}}, "spec": {"containers": []}}
            for each in of_kind(objects, "Cluster")]


def made_by_operator(objects):
    """The Secrets that CloudNativePG makes."""
    return {f"{each['metadata']['name']}-ca" for each in of_kind(objects, "Cluster")}


def each_pod(objects):
    return {f"{each['metadata']['name']}-{number}" for each in of_kind(objects, "StatefulSet")
            for number in range(each["spec"]["replicas"])}


def ports_of(template):
    return {port["name"]: port for box in template["spec"]["containers"] for port in box.get("ports", [])}


def in_pods(objects):
    """Within a pod: probes and ports, volumes and their sources."""
    names = {kind: {each["metadata"]["name"] for each in of_kind(objects, kind)} for kind in ("ConfigMap", "Secret")}
    known_secrets = MADE_BY_HAND | made_by_operator(objects)
    for each in workloads(objects):
        spec, template = each["spec"], each["spec"]["template"]
        volumes = {volume["name"]: volume for volume in template["spec"].get("volumes", [])}
        claims = {claim["metadata"]["name"] for claim in spec.get("volumeClaimTemplates", [])}
        if not selects(spec["selector"]["matchLabels"], template["metadata"]["labels"]):
            yield "the set does not select its own pods"
        for volume in volumes.values():
            for kind, key in (("configMap", "name"), ("secret", "secretName")):
                if kind in volume and volume[kind][key] not in names[kind[0].upper() + kind[1:]] | known_secrets:
                    yield f"volume {volume['name']}: there is no {kind} {volume[kind][key]}"
            for source in volume.get("projected", {}).get("sources", []):
                if source["secret"]["name"] not in known_secrets:
                    yield f"volume {volume['name']}: there is no secret {source['secret']['name']}"
        for box in template["spec"]["containers"]:
            ports = {port["name"] for port in box.get("ports", [])}
            if len(ports) < len(box.get("ports", [])):
                yield "two ports of one name"
            for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
                port = box.get(kind, {}).get("httpGet", {}).get("port")
                if port not in ports:
                    yield f"{kind}: there is no port {port}"
            known = {each["name"] for each in box.get("env", [])}
            for name in re.findall(r"\$\((\w+)\)", " ".join(box["args"])):
                if name not in known:
                    yield f"an argument has the variable {name}, which there is not"
            mounted = {mount["name"] for mount in box.get("volumeMounts", [])}
            for name in mounted - set(volumes) - claims:
                yield f"there is no volume {name}"
            for name in (set(volumes) | claims) - mounted:
                yield f"volume {name} is nowhere mounted"
        for constraint in template["spec"].get("topologySpreadConstraints", []):
            if not selects(constraint["labelSelector"]["matchLabels"], template["metadata"]["labels"]):
                yield "pods are spread over others than themselves"
        if each["kind"] == "StatefulSet" and spec["serviceName"] not in {svc["metadata"]["name"] for svc in of_kind(objects, "Service")}:
            yield f"there is no Service {spec['serviceName']}"


def to_pods(objects):
    """The selectors of pods, and the ports that they name."""
    found, numbered = pods(objects), each_pod(objects)

    def chosen(selector):
        named = {POD_NAME: selector[POD_NAME]} if selector.get(POD_NAME) in numbered else {}
        return [template for template in [*(template for _, template in found), *databases(objects)]
                if selects(selector, {**template["metadata"]["labels"], **named})]

    for each in of_kind(objects, "Service"):
        title, spec = f"Service {each['metadata']['name']}", each["spec"]
        if not chosen(spec["selector"]):
            yield f"{title} selects nothing"
        if spec.get("externalTrafficPolicy") and spec.get("type") not in ("NodePort", "LoadBalancer"):
            yield f"{title}: externalTrafficPolicy is for what comes from outside"
        for template in chosen(spec["selector"]):
            for port in spec["ports"]:
                there = ports_of(template).get(port["targetPort"])
                if there is None:
                    yield f"{title}: the pod has no port {port['targetPort']}"
                elif there.get("protocol", "TCP") != port.get("protocol", "TCP"):
                    yield f"{title}: {port['targetPort']} is another protocol"
                elif there["containerPort"] != port["port"]:
                    yield f"{title}: {port['port']} is {there['containerPort']} in the pod"
    for each in of_kind(objects, "NetworkPolicy"):
        title, selector = f"NetworkPolicy {each['metadata']['name']}", each["spec"]["podSelector"].get("matchLabels", {})
        if not chosen(selector):
            yield f"{title} selects nothing"
        named = {port["port"]: port.get("protocol", "TCP") for rule in each["spec"].get("ingress", [])
                 for port in rule.get("ports", []) if isinstance(port.get("port"), str)}
        for template in chosen(selector):
            for name, protocol in named.items():
                if ports_of(template).get(name, {}).get("protocol", "TCP") != protocol or name not in ports_of(template):
                    yield f"{title}: the pod has no port {name} of {protocol}"
    for each in of_kind(objects, "NetworkPolicy"):
        ends = [end for way, side in (("ingress", "from"), ("egress", "to")) for rule in each["spec"].get(way, [])
                for end in rule.get(side, []) if "podSelector" in end and "namespaceSelector" not in end]
        for end in ends:
            if not chosen(end["podSelector"]["matchLabels"]):
                yield f"NetworkPolicy {each['metadata']['name']} speaks of pods that there are not"
    for each in of_kind(objects, "HorizontalPodAutoscaler"):
        to = each["spec"]["scaleTargetRef"]
        if (to["kind"], to["name"]) not in {(made["kind"], made["metadata"]["name"]) for made in workloads(objects)}:
            yield f"HorizontalPodAutoscaler: there is no {to['kind']} {to['name']}"
        elif any("replicas" in made["spec"] for made in workloads(objects)):
            yield "each apply undoes what the autoscaler did"
    for kind in ("PodDisruptionBudget", "PodMonitor"):
        for each in of_kind(objects, kind):
            if not chosen(each["spec"]["selector"]["matchLabels"]):
                yield f"{kind} selects nothing"
            for endpoint in each["spec"].get("podMetricsEndpoints", []):
                if any(endpoint["port"] not in ports_of(template) for _, template in found):
                    yield f"{kind}: the pod has no port {endpoint['port']}"


def published(objects):
    """Each protocol has its Service and is reachable, and the ingress leads to one."""
    services = {each["metadata"]["name"]: each for each in of_kind(objects, "Service")}
    wires = [name for _, template in pods(objects) for name in ports_of(template) if name != "admin"]
    allowed = {port["port"] for each in of_kind(objects, "NetworkPolicy") for rule in each["spec"].get("ingress", [])
               if "from" not in rule for port in rule["ports"]}
    for wire in wires:
        if f"gamehub-{wire}" not in services:
            yield f"no Service leads to {wire}"
        if wire not in allowed:
            yield f"the network policy keeps players from {wire}"
    alone = {each["spec"]["selector"].get(POD_NAME) for each in services.values()} - {None}
    if len(each_pod(objects)) > 1 and alone != each_pod(objects):
        yield "not every hub, of which there are several, has a Service of its own"
    if "admin" in allowed:
        yield "the network policy lets anyone to the admin port"
    deny = [each for each in of_kind(objects, "NetworkPolicy") if not each["spec"]["podSelector"]
            and set(each["spec"]["policyTypes"]) == {"Ingress", "Egress"}
            and not each["spec"].get("ingress") and not each["spec"].get("egress")]
    if not deny:
        yield "what no network policy speaks of is not denied"
    for each in of_kind(objects, "Ingress"):
        for backend in (path["backend"]["service"] for rule in each["spec"]["rules"] for path in rule["http"]["paths"]):
            service = services.get(backend["name"])
            if service is None:
                yield f"Ingress: there is no Service {backend['name']}"
            elif backend["port"].get("name") not in {port["name"] for port in service["spec"]["ports"]}:
                yield f"Ingress: {backend['name']} has no port {backend['port']}"
        secured = {host for tls in each["spec"].get("tls", []) for host in tls["hosts"]}
        for rule in each["spec"]["rules"]:
            if rule["host"] not in secured:
                yield f"Ingress: {rule['host']} has no TLS"


def arguments(objects, pod):
    """The settings with which the pod of that name starts its hub."""
    box = next(template for _, template in pods(objects))["spec"]["containers"][0]
    values = {each["name"]: pod for each in box.get("env", [])
              if each.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath") == "metadata.name"}
    return [re.sub(r"\$\((\w+)\)", lambda found: values.get(found[1], found[0]), each) for each in box["args"]]


def by_themselves(objects):
    """With several hubs each has a separate URL that leads to it, and a client of the common host name always reaches
    the same hub."""
    if len(each_pod(objects)) < 2:
        return
    selected = {each["metadata"]["name"]: each["spec"]["selector"].get(POD_NAME) for each in of_kind(objects, "Service")}
    leads = {}
    for each in of_kind(objects, "Ingress"):
        notes = each["metadata"].get("annotations", {})
        for rule in each["spec"]["rules"]:
            to = {selected.get(path["backend"]["service"]["name"]) for path in rule["http"]["paths"]}
            leads[rule["host"]] = to
            if to == {None} and notes.items() & BY_CLIENT.items() != BY_CLIENT.items():
                yield f"Ingress: a client of {rule['host']} meets another hub with each request"
    for pod in sorted(each_pod(objects)):
        url = [each.partition("=")[2] for each in arguments(objects, pod) if each.startswith("--public-url=")]
        if not url:
            yield f"{pod} does not say where it alone is reached"
        elif leads.get(urllib.parse.urlsplit(url[-1]).hostname) != {pod}:
            yield f"{url[-1]} does not lead to {pod}"


def in_a_cluster(objects):
    """Hubs of a cluster reach their database, keep nothing beside it, and meet a client that has games with them."""
    for made in of_kind(objects, "Deployment"):
        if made["spec"].get("volumeClaimTemplates") or any(
                "persistentVolumeClaim" in each for each in made["spec"]["template"]["spec"]["volumes"]):
            yield "a hub of a Deployment has a volume"
        for each in of_kind(objects, "Ingress"):
            if each["metadata"].get("annotations", {}).items() & BY_CLIENT.items() != BY_CLIENT.items():
                yield "Ingress: a client meets another hub with each request"
    for base in of_kind(objects, "Cluster"):
        labels = {"cnpg.io/cluster": base["metadata"]["name"]}
        to = [end for policy in of_kind(objects, "NetworkPolicy") for rule in policy["spec"].get("egress", [])
              if "app.kubernetes.io/name" in policy["spec"]["podSelector"].get("matchLabels", {})
              for end in rule["to"] if {"port": 5432, "protocol": "TCP"} in rule["ports"]]
        if not any(selects(labels, end.get("podSelector", {}).get("matchLabels", {})) for end in to):
            yield f"the hubs can't reach {base['metadata']['name']}"
        copies = base["spec"].get("postgresql", {}).get("synchronous", {})
        if copies.get("dataDurability") != "required" or not 0 < copies.get("number", 0) < base["spec"]["instances"] - 1:
            yield f"a move may be lost with a server of {base['metadata']['name']}, or games stop with one"
        secret = base["spec"]["bootstrap"]["initdb"]["secret"]["name"]
        if secret not in MADE_BY_HAND:
            yield f"{base['metadata']['name']}: there is no secret {secret}"


def complaints(objects):
    spaces = {each["metadata"]["name"] for each in of_kind(objects, "Namespace")}
    outside = [f"{each['kind']} {each['metadata']['name']} is in no namespace of ours" for each in objects
               if each["kind"] != "Namespace" and each["metadata"].get("namespace") not in spaces]
    twice = len(objects) - len({(each["kind"], each["metadata"]["name"]) for each in objects})
    return [*outside, *(["two objects of one name"] if twice else []),
            *in_pods(objects), *to_pods(objects), *published(objects), *by_themselves(objects), *in_a_cluster(objects)]
