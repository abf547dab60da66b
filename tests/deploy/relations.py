"""Names in manifests that must be equal in two places, which no schema and no API server checks."""
import re
import urllib.parse

from manifests import of_kind, workloads

# The operator creates it, as the README says; no manifest contains a secret.
MADE_BY_HAND = {"gamehub-admin", "gamehub-database", "gamehub-database-backup", "gamehub-links"}
# The protocol of the listener that each kind of route needs. None is HTTP: requests contain secrets of players.
LISTENER_OF = {"HTTPRoute": "HTTPS", "TLSRoute": "TLS", "TCPRoute": "TCP", "UDPRoute": "UDP"}
# Objects of the whole cluster.
WITHOUT_NAMESPACE = {"Namespace", "PriorityClass"}


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
        boxes = template["spec"]["containers"] + template["spec"].get("initContainers", [])
        used = {mount["name"] for box in boxes for mount in box.get("volumeMounts", [])}
        for name in (set(volumes) | claims) - used:
            yield f"volume {name} is nowhere mounted"
        for name in used - set(volumes) - claims:
            yield f"there is no volume {name}"
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
    """Each protocol has its Service and is reachable, and HTTP only with TLS."""
    services = {each["metadata"]["name"]: each for each in of_kind(objects, "Service")}
    wires = [name for _, template in pods(objects) for name in ports_of(template) if name not in ("admin", "link")]
    rules = [rule for each in of_kind(objects, "NetworkPolicy") for rule in each["spec"].get("ingress", [])]
    allowed = {port["port"] for rule in rules if "from" not in rule or of_proxies(rule) for port in rule["ports"]}
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
        yield f"Ingress {each['metadata']['name']}: what it needs of its controller is not said by its fields"
    for name, each in services.items():
        ports = {port["port"] for port in each["spec"]["ports"]}
        if 8080 in ports and each["spec"].get("type", "ClusterIP") != "ClusterIP":
            yield f"Service {name} publishes HTTP without TLS"
    if of_kind(objects, "Gateway") and any({"port": "http", "protocol": "TCP"} in rule["ports"] and not of_proxies(rule)
                                           for rule in rules if "ports" in rule):
        yield "others than the Gateway's proxies reach HTTP"


def of_proxies(rule):
    """Whether a rule is for the namespace of the Gateway's proxies."""
    return [end.get("namespaceSelector", {}).get("matchLabels") for end in rule.get("from", [])] == [
        {"kubernetes.io/metadata.name": "gateways.example.com"}]


def through_the_gateway(objects):
    """Each listener has TLS or needs none, and a route; each route has its listener, and leads to a Service."""
    services = {each["metadata"]["name"]: each for each in of_kind(objects, "Service")}
    gateways = {each["metadata"]["name"]: {listener["name"]: listener for listener in each["spec"]["listeners"]}
                for each in of_kind(objects, "Gateway")}
    served = set()
    for gateway, listeners in gateways.items():
        ends = [(each["port"], each["protocol"] == "UDP", each.get("hostname")) for each in listeners.values()]
        if len(set(ends)) < len(ends):
            yield f"Gateway {gateway}: two listeners of one port and host name"
        for each in listeners.values():
            if each["protocol"] == "HTTP":
                yield f"Gateway {gateway}: {each['name']} has no TLS"
            if each.get("tls", {}).get("mode", "Terminate") != "Terminate":
                yield f"Gateway {gateway}: {each['name']} leads TLS to the hub, which speaks none"
    for each in (each for kind in LISTENER_OF for each in of_kind(objects, kind)):
        title, spec = f"{each['kind']} {each['metadata']['name']}", each["spec"]
        for parent in spec["parentRefs"]:
            at = gateways.get(parent["name"], {}).get(parent["sectionName"])
            if at is None:
                yield f"{title}: there is no listener {parent['sectionName']}"
                continue
            served.add((parent["name"], parent["sectionName"]))
            if at["protocol"] != LISTENER_OF[each["kind"]]:
                yield f"{title}: {at['name']} speaks {at['protocol']}"
            for host in spec.get("hostnames", []):
                if not is_host_of(host, at.get("hostname", host)):
                    yield f"{title}: {at['name']} is not for {host}"
        for rule in spec["rules"]:
            if each["kind"] == "HTTPRoute" and set(rule.get("timeouts", {}).values()) != {"0s"}:
                yield f"{title}: streams end after a time"
            for backend in rule["backendRefs"]:
                ports = services.get(backend["name"], {"spec": {"ports": []}})["spec"]["ports"]
                protocol = "UDP" if each["kind"] == "UDPRoute" else "TCP"
                if (backend["port"], protocol) not in {(port["port"], port.get("protocol", "TCP")) for port in ports}:
                    yield f"{title}: there is no Service {backend['name']} with port {backend['port']} of {protocol}"
    for gateway, listeners in gateways.items():
        for name in listeners:
            if (gateway, name) not in served:
                yield f"Gateway {gateway}: {name} leads nowhere"
    for each in of_kind(objects, "BackendTrafficPolicy"):
        for target in each["spec"]["targetRefs"]:
            if (target["kind"], target["name"]) not in {(it["kind"], it["metadata"]["name"]) for it in objects}:
                yield f"BackendTrafficPolicy: there is no {target['kind']} {target['name']}"


def is_host_of(host, pattern):
    return host == pattern or pattern.startswith("*.") and host.endswith(pattern[1:])


def arguments(objects, pod):
    """The settings with which the pod of that name starts its hub."""
    box = next(template for _, template in pods(objects))["spec"]["containers"][0]
    values = {each["name"]: pod for each in box.get("env", [])
              if each.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath") == "metadata.name"}
    return [re.sub(r"\$\((\w+)\)", lambda found: values.get(found[1], found[0]), each) for each in box["args"]]


def by_themselves(objects):
    """With several hubs each has a separate URL that leads to it."""
    if len(each_pod(objects)) < 2:
        return
    selected = {each["metadata"]["name"]: each["spec"]["selector"].get(POD_NAME) for each in of_kind(objects, "Service")}
    leads = {host: {selected.get(backend["name"]) for rule in each["spec"]["rules"] for backend in rule["backendRefs"]}
             for each in of_kind(objects, "HTTPRoute") for host in each["spec"]["hostnames"]}
    for pod in sorted(each_pod(objects)):
        url = [each.partition("=")[2] for each in arguments(objects, pod) if each.startswith("--public-url=")]
        if not url:
            yield f"{pod} does not say where it alone is reached"
        elif leads.get(urllib.parse.urlsplit(url[-1]).hostname) != {pod}:
            yield f"{url[-1]} does not lead to {pod}"


def ends_of(objects, labels, way, ports):
    """The ends that the policies of pods with these labels let in or out at some ports; an empty one is everything."""
    side = {"ingress": "from", "egress": "to"}[way]
    for policy in of_kind(objects, "NetworkPolicy"):
        if selects(policy["spec"]["podSelector"].get("matchLabels", {}), labels):
            for rule in policy["spec"].get(way, []):
                if "ports" not in rule or any(port["port"] in ports for port in rule["ports"]):
                    yield from rule.get(side, [{}])


def linked(objects):
    """Hubs reach the links of hubs, and nothing else does."""
    for name, template in pods(objects):
        labels, port = template["metadata"]["labels"], ports_of(template).get("link", {}).get("containerPort")
        if port is None:
            continue
        for way in ("ingress", "egress"):
            # What leads to the Internet does not lead to pods.
            ends = [end for end in ends_of(objects, labels, way, ("link", port)) if way == "ingress" or "ipBlock" not in end]
            chosen = [end.get("podSelector", {}).get("matchLabels") for end in ends]
            if not any(each and selects(each, labels) for each in chosen):
                yield f"{name} can't use links ({way})"
            if any(not each or not selects(each, labels) or "namespaceSelector" in end for each, end in zip(chosen, ends)):
                yield f"other pods than {name} have its links ({way})"
        fields = {each["name"]: each.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
                  for box in template["spec"]["containers"] for each in box.get("env", [])}
        if fields.get("GAMEHUB_LINK_ADDRESS") != "status.podIP":
            yield f"{name} does not say where its links are"


def certified(objects):
    """Each certificate has an issuer, and each authority its certificate."""
    issuers = {each["metadata"]["name"]: each["spec"].get("ca", {}).get("secretName")
               for each in of_kind(objects, "Issuer")}
    certificates = of_kind(objects, "Certificate")
    for each in certificates:
        if each["spec"]["issuerRef"]["name"] not in issuers:
            yield f"Certificate {each['metadata']['name']}: there is no Issuer {each['spec']['issuerRef']['name']}"
    for name, secret in issuers.items():
        if secret and secret not in {each["spec"]["secretName"] for each in certificates}:
            yield f"Issuer {name}: there is no secret {secret}"


def in_a_cluster(objects):
    """Hubs of a cluster reach their database, and keep nothing beside it."""
    for made in of_kind(objects, "Deployment"):
        if made["spec"].get("volumeClaimTemplates") or any(
                "persistentVolumeClaim" in each for each in made["spec"]["template"]["spec"]["volumes"]):
            yield "a hub of a Deployment has a volume"
        if made["spec"]["strategy"].get("rollingUpdate", {}).get("maxUnavailable") != 0:
            yield "a hub goes before the next one is there"
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
    bases = {each["metadata"]["name"] for each in of_kind(objects, "Cluster")}
    stores = {each["metadata"]["name"] for each in of_kind(objects, "ObjectStore")}
    for each in of_kind(objects, "ScheduledBackup"):
        if each["spec"]["cluster"]["name"] not in bases:
            yield f"ScheduledBackup: there is no {each['spec']['cluster']['name']}"
    for plugin in (plugin for base in of_kind(objects, "Cluster") for plugin in base["spec"].get("plugins", [])):
        if plugin["parameters"]["barmanObjectName"] not in stores:
            yield f"there is no ObjectStore {plugin['parameters']['barmanObjectName']}"


def complaints(objects):
    spaces = {each["metadata"]["name"] for each in of_kind(objects, "Namespace")}
    outside = [f"{each['kind']} {each['metadata']['name']} is in no namespace of ours" for each in objects
               if each["kind"] not in WITHOUT_NAMESPACE and each["metadata"].get("namespace") not in spaces]
    twice = len(objects) - len({(each["kind"], each["metadata"]["name"]) for each in objects})
    return [*outside, *(["two objects of one name"] if twice else []),
            *in_pods(objects), *to_pods(objects), *published(objects), *through_the_gateway(objects),
            *by_themselves(objects), *in_a_cluster(objects), *linked(objects), *certified(objects)]
