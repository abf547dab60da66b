"""What the API server would report about an object: a schema that knows every field and no other, built from the models
of npm's @kubernetes/client-node, which are generated from the API's description. The models have no enumerations and
bounds; those that our manifests use are added here. Objects of operators have schemas in operator_schemas.py."""
import json
import re

from jsonschema import Draft7Validator

from operator_schemas import AT_LEAST_ONE, NAME, OPERATORS, QUANTITY, closed

PORT = {"minimum": 1, "maximum": 65535}
PORT_NAME = {"pattern": r"^(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$"}
PROTOCOL = {"enum": ["TCP", "UDP", "SCTP"]}
EXTRA = {
    "V1ObjectMeta": {"name": NAME, "namespace": NAME},
    "V1Container": {"imagePullPolicy": {"enum": ["Always", "IfNotPresent", "Never"]}},
    "V1ContainerPort": {"containerPort": PORT, "name": PORT_NAME, "protocol": PROTOCOL},
    "V1HTTPGetAction": {"path": {"pattern": "^/"}, "scheme": {"enum": ["HTTP", "HTTPS"]}},
    "V1Probe": {name: AT_LEAST_ONE for name in ("periodSeconds", "timeoutSeconds", "failureThreshold")},
    "V1SleepAction": {"seconds": AT_LEAST_ONE},
    "V1SeccompProfile": {"type": {"enum": ["RuntimeDefault", "Localhost", "Unconfined"]}},
    "V1PodSecurityContext": {"fsGroupChangePolicy": {"enum": ["OnRootMismatch", "Always"]}},
    "V1ServiceSpec": {"type": {"enum": ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]},
                      "externalTrafficPolicy": {"enum": ["Local", "Cluster"]},
                      "sessionAffinity": {"enum": ["None", "ClientIP"]},
                      "ipFamilyPolicy": {"enum": ["SingleStack", "PreferDualStack", "RequireDualStack"]}},
    "V1ServicePort": {"port": PORT, "protocol": PROTOCOL, "name": PORT_NAME},
    "V1DeploymentStrategy": {"type": {"enum": ["RollingUpdate", "Recreate"]}},
    "V2MetricSpec": {"type": {"enum": ["Pods", "Object", "Resource", "External", "ContainerResource"]}},
    "V2MetricTarget": {"type": {"enum": ["AverageValue", "Value", "Utilization"]}, "averageValue": QUANTITY},
    "V2HPAScalingPolicy": {"type": {"enum": ["Pods", "Percent"]}, "value": AT_LEAST_ONE, "periodSeconds": AT_LEAST_ONE},
    "V1StatefulSetSpec": {"podManagementPolicy": {"enum": ["Parallel", "OrderedReady"]}},
    "V1StatefulSetPersistentVolumeClaimRetentionPolicy": {name: {"enum": ["Retain", "Delete"]}
                                                          for name in ("whenDeleted", "whenScaled")},
    "V1TopologySpreadConstraint": {"whenUnsatisfiable": {"enum": ["ScheduleAnyway", "DoNotSchedule"]},
                                   "maxSkew": AT_LEAST_ONE},
    "V1PodDisruptionBudgetSpec": {"unhealthyPodEvictionPolicy": {"enum": ["AlwaysAllow", "IfHealthyBudget"]}},
    "V1NetworkPolicySpec": {"policyTypes": {"items": {"enum": ["Ingress", "Egress"]}}},
    "V1NetworkPolicyPort": {"protocol": PROTOCOL},
    "V1HTTPIngressPath": {"pathType": {"enum": ["Prefix", "Exact", "ImplementationSpecific"]}},
    "V1PersistentVolumeClaimSpec": {"accessModes": {"items": {"enum": ["ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany",
                                                                       "ReadWriteMany"]}}},
    "V1ResourceRequirements": {name: {"additionalProperties": QUANTITY} for name in ("limits", "requests")},
    "V1VolumeResourceRequirements": {name: {"additionalProperties": QUANTITY} for name in ("limits", "requests")},
    "V1EmptyDirVolumeSource": {"medium": {"enum": ["", "Memory"]}, "sizeLimit": QUANTITY},
}


def type_of(name, form):
    """The schema of a model's type."""
    listed = re.fullmatch(r"(?:Array|Set)<(.*)>", name)
    if listed:
        return {"type": "array", "items": type_of(listed[1], form)}
    mapped = re.fullmatch(r"\{ \[key: string\]: (.*); \}", name)
    if mapped:
        return {"type": "object", "additionalProperties": type_of(mapped[1], form)}
    plain = {"string": {"type": "string"}, "boolean": {"type": "boolean"}, "Date": {"type": "string"},
             "V1MicroTime": {"type": "string"}, "IntOrString": {"type": ["integer", "string"]}, "any": {}, "object": {}}
    if name == "number":
        return {"type": "integer" if form.startswith("int") else "number"}
    return plain.get(name) or ({} if name in plain else {"$ref": f"#/definitions/{name}"})


def model(source, declaration):
    """The schema of one model; None if the file has none."""
    table = re.search(r"attributeTypeMap = (\[.*?\n\]);", source, re.DOTALL)
    if not table:
        return None
    fields = json.loads(re.sub(r",(\s*[}\]])", r"\1", table[1]))
    optional = dict(re.findall(r"^\s+'([^']+)'(\??): ", declaration, re.MULTILINE))
    return closed([each["baseName"] for each in fields if optional.get(each["name"]) == ""],
                  **{each["baseName"]: type_of(each["type"], each["format"]) for each in fields})


class Schema:
    def __init__(self, node_modules):
        folder = node_modules / "@kubernetes/client-node/dist/gen/models"
        self.definitions = {}
        for file in folder.glob("V*.js"):
            made = model(file.read_text(), file.with_suffix(".d.ts").read_text())
            if made:
                self.definitions[file.stem] = made
        for name, fields in EXTRA.items():
            for field, more in fields.items():
                into = self.definitions[name]["properties"][field]
                into.update({**into, "items": {**into["items"], **more["items"]}} if "items" in more else more)
        self.validators = {}

    def complaints(self, thing):
        """The violations of an object, each with its location."""
        version, kind = thing.get("apiVersion", ""), thing.get("kind", "")
        title = f"{kind} {thing.get('metadata', {}).get('name')}"
        schema = OPERATORS.get(f"{version}/{kind}")
        if schema is None:
            short = version.rsplit("/", maxsplit=1)[-1].capitalize() + kind
            schema = {"$ref": f"#/definitions/{short}"} if short in self.definitions else None
        if schema is None:
            return [f"{title}: nothing is known of {version} {kind}"]
        check = self.validators.setdefault(
            f"{version}/{kind}", Draft7Validator({**schema, "definitions": self.definitions}))
        return [f"{title}: {'/'.join(map(str, error.absolute_path))}: {error.message}"
                for error in check.iter_errors(thing)]
