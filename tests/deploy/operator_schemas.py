"""JSON schemas of objects that are not Kubernetes' own: those of operators, and of the Gateway API. Each knows the fields
that our manifests use, and no other."""

NAME = {"pattern": r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$"}
AT_LEAST_ONE = {"minimum": 1}
QUANTITY = {"pattern": r"^[0-9]+(\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$"}


def closed(needed, /, **properties):
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


TEXT = {"type": "string"}
TEXTS = {"type": "object", "additionalProperties": TEXT}
DURATION = {"type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"}
META = {"$ref": "#/definitions/V1ObjectMeta"}
VOLUME = closed(["size"], size={"type": "string", **QUANTITY}, storageClass=TEXT)
PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
HOST = {"type": "string", "pattern": r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}
HOSTS = {"type": "array", "minItems": 1, "items": HOST}
GATEWAY_DURATION = {"type": "string", "pattern": "^([0-9]{1,5}(h|m|s|ms)){1,4}$"}
SECRET_KEY = closed(["name", "key"], name=TEXT, key=TEXT)


def thing(spec):
    return closed(["apiVersion", "kind", "metadata", "spec"], apiVersion=TEXT, kind=TEXT, metadata=META, spec=spec)


def rules(**more):
    return {"type": "array", "minItems": 1, "items": closed(
        ["backendRefs"], backendRefs={"type": "array", "minItems": 1, "items": closed(
            ["name", "port"], name=TEXT, port=PORT)}, **more)}


def route(needed, **more):
    return closed(needed, parentRefs={"type": "array", "minItems": 1, "items": closed(
        ["name", "sectionName"], name=TEXT, sectionName=TEXT)}, **more)


OPERATORS = {
    "monitoring.coreos.com/v1/PodMonitor": closed(
        ["apiVersion", "kind", "metadata", "spec"], apiVersion=TEXT, kind=TEXT, metadata=META,
        spec=closed(["selector", "podMetricsEndpoints"], selector={"$ref": "#/definitions/V1LabelSelector"},
                    podMetricsEndpoints={"type": "array", "items": closed(
                        ["port"], port=TEXT, path=TEXT, interval=DURATION, scrapeTimeout=DURATION,
                        relabelings={"type": "array", "items": closed(
                            [], targetLabel=TEXT, replacement=TEXT, regex=TEXT, action=TEXT,
                            sourceLabels={"type": "array", "items": TEXT})})})),
    "monitoring.coreos.com/v1/PrometheusRule": closed(
        ["apiVersion", "kind", "metadata", "spec"], apiVersion=TEXT, kind=TEXT, metadata=META,
        spec=closed(["groups"], groups={"type": "array", "items": closed(
            ["name", "rules"], name=TEXT, interval=DURATION, rules={"type": "array", "items": closed(
                ["expr"], alert=TEXT, record=TEXT, expr=TEXT, labels=TEXTS, annotations=TEXTS,
                **{"for": DURATION})})})),
    # The fields that our manifest uses, of its reference at version 1.26.
    "postgresql.cnpg.io/v1/Cluster": closed(
        ["apiVersion", "kind", "metadata", "spec"], apiVersion=TEXT, kind=TEXT, metadata=META,
        spec=closed(
            ["instances", "storage"], instances={"type": "integer", **AT_LEAST_ONE}, imageName=TEXT,
            postgresql=closed([], parameters=TEXTS, synchronous=closed(
                ["method", "number"], method={"enum": ["any", "first"]}, number={"type": "integer"},
                dataDurability={"enum": ["required", "preferred"]})),
            bootstrap=closed([], initdb=closed([], database=TEXT, owner=TEXT, secret=closed(["name"], name=TEXT))),
            storage=VOLUME, walStorage=VOLUME,
            affinity=closed([], enablePodAntiAffinity={"type": "boolean"}, topologyKey=TEXT,
                            podAntiAffinityType={"enum": ["required", "preferred"]}),
            resources={"$ref": "#/definitions/V1ResourceRequirements"},
            plugins={"type": "array", "items": closed(["name"], name=TEXT, isWALArchiver={"type": "boolean"},
                                                      parameters=TEXTS)})),
    "postgresql.cnpg.io/v1/ScheduledBackup": thing(closed(
        ["schedule", "cluster"], schedule={"type": "string", "pattern": r"^(\S+ ){5}\S+$"}, immediate={"type": "boolean"},
        backupOwnerReference={"enum": ["none", "self", "cluster"]}, cluster=closed(["name"], name=TEXT),
        method={"enum": ["barmanObjectStore", "volumeSnapshot", "plugin"]},
        pluginConfiguration=closed(["name"], name=TEXT, parameters=TEXTS))),
    # The fields that our manifest uses, of its reference at version 1.18.
    "cert-manager.io/v1/Issuer": thing({"oneOf": [closed(["selfSigned"], selfSigned=closed([])),
                                                  closed(["ca"], ca=closed(["secretName"], secretName=TEXT))]}),
    "cert-manager.io/v1/Certificate": thing(closed(
        ["secretName", "issuerRef"], secretName=TEXT, isCA={"type": "boolean"}, commonName=TEXT,
        duration=DURATION, renewBefore=DURATION, usages={"type": "array", "items": {"enum": [
            "digital signature", "server auth", "client auth"]}},
        privateKey=closed([], algorithm={"enum": ["RSA", "ECDSA", "Ed25519"]}, size={"type": "integer"},
                          rotationPolicy={"enum": ["Always", "Never"]}),
        issuerRef=closed(["name"], name=TEXT, kind={"enum": ["Issuer", "ClusterIssuer"]}))),
    "barmancloud.cnpg.io/v1/ObjectStore": thing(closed(
        ["configuration"], retentionPolicy={"type": "string", "pattern": "^[1-9][0-9]*[dwm]$"}, configuration=closed(
            ["destinationPath"], destinationPath={"type": "string", "pattern": "^[a-z0-9]+://"}, endpointURL=TEXT,
            s3Credentials=closed([], accessKeyId=SECRET_KEY, secretAccessKey=SECRET_KEY),
            wal=closed([], compression={"enum": ["gzip", "bzip2", "snappy", "zstd", "xz", "lz4"]})))),
    # The Gateway API, at version 1.5; TCPRoute and UDPRoute as its later versions have them.
    "gateway.networking.k8s.io/v1/Gateway": thing(closed(
        ["gatewayClassName", "listeners"], gatewayClassName={"type": "string", **NAME}, listeners={
            "type": "array", "minItems": 1, "maxItems": 64, "items": {**closed(
                ["name", "port", "protocol"], name={"type": "string", **NAME}, port=PORT, hostname=HOST,
                protocol={"enum": ["HTTP", "HTTPS", "TLS", "TCP", "UDP"]},
                tls=closed(["mode", "certificateRefs"], mode={"enum": ["Terminate", "Passthrough"]},
                           certificateRefs={"type": "array", "minItems": 1, "items": closed(["name"], name=TEXT)})),
                # The API server refuses these as well.
                "if": {"properties": {"protocol": {"enum": ["HTTPS", "TLS"]}}}, "then": {"required": ["tls"]},
                "else": {"not": {"required": ["tls"]}}}})),
    "gateway.networking.k8s.io/v1/HTTPRoute": thing(route(
        ["parentRefs", "rules"], hostnames=HOSTS, rules=rules(timeouts=closed(
            [], request=GATEWAY_DURATION, backendRequest=GATEWAY_DURATION)))),
    "gateway.networking.k8s.io/v1/TLSRoute": thing(route(["parentRefs", "hostnames", "rules"], hostnames=HOSTS, rules=rules())),
    "gateway.networking.k8s.io/v1/TCPRoute": thing(route(["parentRefs", "rules"], rules=rules())),
    "gateway.networking.k8s.io/v1/UDPRoute": thing(route(["parentRefs", "rules"], rules=rules())),
    "gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy": thing(closed(
        ["targetRefs"], targetRefs={"type": "array", "minItems": 1, "items": closed(
            ["group", "kind", "name"], group=TEXT, kind=TEXT, name=TEXT)},
        loadBalancer=closed(["type"], type={"enum": ["ConsistentHash", "LeastRequest", "Random", "RoundRobin"]},
                            consistentHash=closed(["type"], type={"enum": ["SourceIP", "Header", "Cookie"]})))),
}
