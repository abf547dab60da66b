"""The manifests: every overlay is valid, safe and consistent; and each of the mistakes below would be found."""
import copy
import ipaddress
import re
import sys
import unittest

import kubernetes_schema
import manifests
import npm_packages
import pod_security
import relations
from manifests import configuration, of_kind, the, workload
from places import ROOT

# Networks in which a bot must never be: machines beside the hub, the node, cloud metadata.
NEVER = ["10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1", "127.0.0.1", "169.254.169.254", "100.100.100.200",
         "100.64.0.1", "192.0.0.192", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "fd00:ec2::254", "fe80::1",
         "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"]
SOMETIMES = ["1.1.1.1", "203.0.114.7", "2606:4700:4700::1111"]


def reachable(objects, address):
    """Whether a policy permits the hub to call an address over TCP."""
    address = ipaddress.ip_address(address)
    policies = [each for each in of_kind(objects, "NetworkPolicy")
                if relations.selects(each["spec"]["podSelector"].get("matchLabels", {}),
                                     workload(objects)["spec"]["template"]["metadata"]["labels"])]
    blocks = [to["ipBlock"] for each in policies for rule in each["spec"].get("egress", [])
              for to in rule["to"] if "ipBlock" in to]
    return any(address in ipaddress.ip_network(block["cidr"])
               and not any(address in ipaddress.ip_network(but) for but in block.get("except", [])) for block in blocks)


def egress(objects):
    return ([f"a bot may be at {address}" for address in NEVER if reachable(objects, address)]
            + [f"no bot may be at {address}" for address in SOMETIMES if not reachable(objects, address)])


def pod(objects):
    return workload(objects)["spec"]["template"]["spec"]


def box(objects):
    return pod(objects)["containers"][0]


def one(objects, kind, name):
    return next(each for each in of_kind(objects, kind) if each["metadata"]["name"] == name)


def route(objects, kind, name):
    return one(objects, kind, name)["spec"]


def listener(objects, name):
    return next(each for each in the(objects, "Gateway")["spec"]["listeners"] if each["name"] == name)


def drop(of, *names):
    for name in names:
        of.pop(name)


# Mistakes, and words of the message that must report them.
MISTAKES = {
    "a field misspelt": (lambda o: pod(o).update(terminationGracePeriod=5), "terminationGracePeriod"),
    "a field of a field misspelt": (lambda o: box(o)["readinessProbe"].update(failureTreshold=1), "failureTreshold"),
    "text for a number": (lambda o: the(o, "StatefulSet")["spec"].update(replicas="1"), "replicas"),
    "a field forgotten": (lambda o: drop(the(o, "StatefulSet")["spec"], "selector"), "selector"),
    "a word that there is not": (lambda o: one(o, "Service", "gamehub-turns")["spec"].update(externalTrafficPolicy="local"),
                                 "externalTrafficPolicy"),
    "a port out of range": (lambda o: box(o)["ports"][0].update(containerPort=88890), "88890"),
    "a port's name too long": (lambda o: box(o)["ports"][0].update(name="json-turns-over-tcp"), "json-turns-over-tcp"),
    "an unknown kind": (lambda o: the(o, "StatefulSet").update(apiVersion="apps/v1beta1"), "nothing is known"),
    "an unknown relabelling": (lambda o: the(o, "PodMonitor")["spec"]["podMetricsEndpoints"][0].update(relabel=[]), "relabel"),
    "a probe of no port": (lambda o: box(o)["livenessProbe"]["httpGet"].update(port="health"), "no port health"),
    "a probe forgotten": (lambda o: drop(box(o), "startupProbe"), "startupProbe"),
    "a Service of no port": (lambda o: one(o, "Service", "gamehub-turns")["spec"]["ports"][0].update(targetPort="turn"),
                             "no port turn"),
    "a Service of no pod": (lambda o: one(o, "Service", "gamehub-http")["spec"].update(selector={"app": "hub"}),
                            "selects nothing"),
    "a budget of no pod": (lambda o: the(o, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"].update(app="hub"),
                           "selects nothing"),
    "a config map that is not there": (lambda o: pod(o)["volumes"][0]["configMap"].update(name="gamehub"), "no configMap"),
    "a volume nowhere mounted": (lambda o: box(o)["volumeMounts"].pop(), "nowhere mounted"),
    "an ingress": (lambda o: o.append({"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {
        "name": "gamehub", "namespace": "gamehub"}, "spec": {"rules": [{"host": "games.example.com"}]}}), "Ingress gamehub"),
    "a route to nowhere": (lambda o: route(o, "HTTPRoute", "gamehub")["rules"][0]["backendRefs"][0].update(name="gamehub"),
                           "no Service gamehub with port 8080"),
    "a route to another port": (lambda o: route(o, "TLSRoute", "gamehub-turns")["rules"][0]["backendRefs"][0].update(port=8890),
                                "no Service gamehub-turns with port 8890"),
    "a route of no listener": (lambda o: route(o, "TLSRoute", "gamehub-turns")["parentRefs"][0].update(sectionName="turn"),
                               "no listener turn"),
    "a route of another protocol": (lambda o: route(o, "HTTPRoute", "gamehub")["parentRefs"][0].update(sectionName="turns"),
                                    "turns speaks TLS"),
    "a route that is not there": (lambda o: o.remove(one(o, "TLSRoute", "gamehub-opcodes")), "opcodes leads nowhere"),
    "a host of no listener": (lambda o: route(o, "HTTPRoute", "gamehub").update(hostnames=["play.example.com"]),
                              "not for play.example.com"),
    "a listener without TLS": (lambda o: listener(o, "https").update(protocol="HTTP"), "https has no TLS"),
    "a listener without a certificate": (lambda o: drop(listener(o, "turns"), "tls"), "tls"),
    "TLS for the hub": (lambda o: listener(o, "turns")["tls"].update(mode="Passthrough"), "which speaks none"),
    "two listeners for one": (lambda o: listener(o, "turns").update(port=8890), "two listeners"),
    "a request that ends": (lambda o: route(o, "HTTPRoute", "gamehub")["rules"][0]["timeouts"].update(request="60s"),
                            "streams end"),
    "a request that may end": (lambda o: drop(route(o, "HTTPRoute", "gamehub")["rules"][0], "timeouts"), "streams end"),
    "HTTP without TLS": (lambda o: one(o, "Service", "gamehub-http")["spec"].update(type="LoadBalancer"), "HTTP without TLS"),
    "HTTP for everybody": (lambda o: drop(one(o, "NetworkPolicy", "players")["spec"]["ingress"][0], "from"),
                           "others than the Gateway's proxies"),
    "a log without an end": (lambda o: drop(box(o)["resources"]["limits"], "ephemeral-storage"), "the log"),
    "backups of no volume": (lambda o: the(o, "StatefulSet")["spec"]["volumeClaimTemplates"].pop(), "no volume backups"),
    "backups as root": (lambda o: drop(pod(o)["initContainers"][0]["securityContext"], "capabilities"), "capabilities"),
    "an open admin port": (lambda o: drop(one(o, "NetworkPolicy", "monitoring")["spec"]["ingress"][0], "from"), "admin"),
    "nothing denied": (lambda o: o.remove(one(o, "NetworkPolicy", "deny")), "not denied"),
    "a wire shut": (lambda o: one(o, "NetworkPolicy", "players")["spec"]["ingress"][0]["ports"].pop(), "keeps players"),
    "bots beside the node": (lambda o: one(o, "NetworkPolicy", "bots")["spec"]["egress"][0]["to"][0]["ipBlock"]["except"]
                             .remove("169.254.0.0/16"), "169.254.169.254"),
    "another namespace": (lambda o: one(o, "Service", "gamehub-turns")["metadata"].update(namespace="default"), "namespace"),
    "root": (lambda o: pod(o)["securityContext"].update(runAsUser=0), "root"),
    "a writable root": (lambda o: drop(box(o)["securityContext"], "readOnlyRootFilesystem"), "root file system"),
    "privileges to be had": (lambda o: drop(box(o)["securityContext"], "allowPrivilegeEscalation"), "escalated"),
    "a capability kept": (lambda o: box(o)["securityContext"]["capabilities"].update(drop=["NET_RAW"]), "capabilities"),
    "a folder of the node": (lambda o: pod(o)["volumes"].append({"name": "host", "hostPath": {"path": "/"}}), "hostPath"),
    "no seccomp": (lambda o: [drop(each["securityContext"], "seccompProfile") for each in (pod(o), box(o))], "seccomp"),
    "a token of the API": (lambda o: drop(pod(o), "automountServiceAccountToken"), "API"),
    "memory beyond what is promised": (lambda o: box(o)["resources"]["limits"].update(memory="8Gi"), "memory"),
    "a secret that nobody makes": (lambda o: pod(o)["volumes"][-1]["secret"].update(secretName="admin"), "no secret admin"),
    "whatever image is latest": (lambda o: box(o).update(image="gamehub:latest"), "version"),
    "pods that may ask for more": (lambda o: drop(the(o, "Namespace")["metadata"]["labels"],
                                                  "pod-security.kubernetes.io/enforce"), "restricted"),
}


# With UDP.
MISTAKES_OVER_UDP = {
    "UDP by TCP": (lambda o: drop(one(o, "Service", "gamehub-udp")["spec"]["ports"][0], "protocol"), "another protocol"),
    "UDP without its Service": (lambda o: o.remove(one(o, "Service", "gamehub-udp")), "no Service leads to udp"),
}

# With more than one hub.
MISTAKES_WITH_SEVERAL = {
    "a hub without a Service": (lambda o: o.remove(one(o, "Service", "gamehub-2")),
                                "not every hub, of which there are several, has a Service of its own"),
    "a hub without a URL": (lambda o: box(o)["args"].pop(), "gamehub-1 does not say where it alone is reached"),
    "one URL for all": (lambda o: box(o)["args"].append("--public-url=https://games.example.com"),
                        "https://games.example.com does not lead to gamehub-0"),
    "a URL of nobody": (lambda o: o.remove(one(o, "HTTPRoute", "gamehub-2")),
                        "https://gamehub-2.games.example.com does not lead to gamehub-2"),
    "a URL of another": (lambda o: one(o, "Service", "gamehub-1")["spec"]["selector"].update({relations.POD_NAME: "gamehub-0"}),
                         "https://gamehub-1.games.example.com does not lead to gamehub-1"),
    "a name that the pod does not know": (lambda o: drop(box(o), "env"), "an argument has the variable POD_NAME, which there is not"),
}

# With one log for all hubs.
MISTAKES_IN_A_CLUSTER = {
    "a field of the database misspelt": (lambda o: the(o, "Cluster")["spec"]["postgresql"]["synchronous"].update(
        durability="required"), "durability"),
    "a number for text": (lambda o: the(o, "Cluster")["spec"]["postgresql"]["parameters"].update(max_connections=100), "100"),
    "moves on one server": (lambda o: the(o, "Cluster")["spec"]["postgresql"]["synchronous"].update(
        dataDurability="preferred"), "a move may be lost"),
    "every server needed": (lambda o: the(o, "Cluster")["spec"].update(instances=2), "games stop with one"),
    "a database that nobody may reach": (lambda o: one(o, "NetworkPolicy", "bots")["spec"]["egress"].pop(), "can't reach"),
    "another database": (lambda o: the(o, "Cluster")["metadata"].update(name="gamehub-db"), "pods that there are not"),
    "an owner without a password": (lambda o: the(o, "Cluster")["spec"]["bootstrap"]["initdb"]["secret"].update(
        name="database"), "no secret database"),
    "a connection that is not there": (lambda o: pod(o)["volumes"][-1]["projected"]["sources"][0]["secret"].update(
        name="database"), "no secret database"),
    "a certificate that nobody makes": (lambda o: pod(o)["volumes"][-1]["projected"]["sources"][1]["secret"].update(
        name="database-ca"), "no secret database-ca"),
    "links that no hub may reach": (lambda o: drop(one(o, "NetworkPolicy", "links")["spec"], "egress"), "can't use links (egress)"),
    "links that no hub may enter": (lambda o: drop(one(o, "NetworkPolicy", "links")["spec"], "ingress"), "can't use links (ingress)"),
    "links for all": (lambda o: drop(one(o, "NetworkPolicy", "links")["spec"]["ingress"][0], "from"), "other pods than gamehub have its links"),
    "links for players": (lambda o: one(o, "NetworkPolicy", "players")["spec"]["ingress"][0]["ports"].append(
        {"port": "link", "protocol": "TCP"}), "other pods than gamehub have its links"),
    "links without an address": (lambda o: box(o)["env"].pop(), "does not say where its links are"),
    "links without certificates": (lambda o: pod(o)["volumes"][-2]["projected"]["sources"][0]["secret"].update(
        name="links"), "no secret links"),
    "a volume of one hub": (lambda o: pod(o)["volumes"].append({"name": "tmp", "persistentVolumeClaim": {"claimName": "x"}}),
                            "has a volume"),
    "an autoscaler of nothing": (lambda o: the(o, "HorizontalPodAutoscaler")["spec"]["scaleTargetRef"].update(
        kind="StatefulSet"), "no StatefulSet gamehub"),
    "two who count": (lambda o: the(o, "Deployment")["spec"].update(replicas=3), "undoes what the autoscaler did"),
    "a metric of another kind": (lambda o: the(o, "HorizontalPodAutoscaler")["spec"]["metrics"][0].update(type="Pod"), "Pod"),
    "a hub that goes too early": (lambda o: the(o, "Deployment")["spec"]["strategy"]["rollingUpdate"].update(
        maxUnavailable=1), "a hub goes before"),
    "a hub that goes at once": (lambda o: the(o, "Deployment")["spec"].update(strategy={"type": "Recreate"}),
                                "a hub goes before"),
}


class Manifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = kubernetes_schema.Schema(npm_packages.folder())
        cls.objects = {name: manifests.render(name) for name in manifests.OVERLAYS}

    def complaints(self, objects):
        try:
            return [*(what for each in objects for what in self.schema.complaints(each)), *relations.complaints(objects),
                    *pod_security.complaints(objects), *egress(objects)]
        except (KeyError, TypeError, AttributeError) as broken:
            # An error of the schema may prevent the other checks.
            return [what for each in objects for what in self.schema.complaints(each)] or [repr(broken)]

    def test_are_valid_safe_and_agree_with_themselves(self):
        for name, objects in self.objects.items():
            with self.subTest(name):
                self.assertEqual(self.complaints(objects), [])

    def test_would_be_complained_of_for_each_mistake(self):
        for overlay, mistakes in (("production", MISTAKES), ("local", MISTAKES_OVER_UDP),
                                  ("cluster", MISTAKES_IN_A_CLUSTER)):
            for name, (make, words) in mistakes.items():
                with self.subTest(name):
                    objects = copy.deepcopy(self.objects[overlay])
                    make(objects)
                    found = self.complaints(objects)
                    self.assertTrue(any(words in each for each in found), f"found only {found}")

    def test_mount_no_secret_as_a_variable(self):
        for objects in self.objects.values():
            self.assertNotIn("envFrom", box(objects))
            for each in box(objects).get("env", []):
                # A path, or a name of the pod.
                self.assertTrue(each.get("value", "").startswith("/") or list(each.get("valueFrom", {})) == ["fieldRef"],
                                each["name"])

    def test_name_each_secret_that_is_made_by_hand(self):
        readme = (ROOT / "deploy/README.md").read_text()
        for objects in self.objects.values():
            for each in pod(objects)["volumes"]:
                if "secret" in each:
                    made = f"create secret generic {each['secret']['secretName']} --from-literal=token="
                    self.assertTrue(made in readme, made)
                for source in each.get("projected", {}).get("sources", []):
                    name = source["secret"]["name"]
                    if name not in relations.made_by_operator(objects):
                        self.assertTrue(f"create secret generic {name} " in readme, name)
            for name in {ref["name"] for each in of_kind(objects, "Gateway") for at in each["spec"]["listeners"]
                         for ref in at.get("tls", {}).get("certificateRefs", [])}:
                self.assertTrue(f"`{name}`" in readme, name)

    def test_let_the_hub_to_bots_inside_where_it_may_call_them(self):
        for name, objects in self.objects.items():
            inside = any(each["metadata"]["name"] == "bots-inside" for each in of_kind(objects, "NetworkPolicy"))
            self.assertEqual("\nbot-allow = " in configuration(objects)["data"]["gamehub.conf"], inside, name)

    def test_let_the_player_of_udp_be_seen_and_found_again(self):
        for objects in (self.objects["local"], manifests.compose("base", "load-balancers")):
            spec = one(objects, "Service", "gamehub-udp")["spec"]
            self.assertEqual((spec["externalTrafficPolicy"], spec["sessionAffinity"]), ("Local", "ClientIP"))
            self.assertEqual(len(spec["ports"]), 1)

    def test_may_be_put_together_otherwise(self):
        for resource, *components in (
                ("base", "load-balancers"), ("base", "gateway", "gateway-udp", "envoy-gateway"), ("base", "backup"),
                ("base", "gateway", "gateway-plain"), ("base", "gateway", "load-balancers"), ("base", "no-disruption"),
                ("overlays/cluster", "no-disruption"), ("overlays/cluster", "database-backup", "envoy-gateway"),
                ("overlays/cluster", "link-certificates"),
                ("overlays/production", "gateway-plain", "load-balancers"), ("overlays/several", "no-disruption")):
            with self.subTest(resource=resource, components=components):
                objects = manifests.compose(resource, *components)
                self.assertEqual(self.complaints(objects), [])
                budget = the(objects, "PodDisruptionBudget")["spec"]["maxUnavailable"]
                self.assertEqual((budget, pod(objects).get("priorityClassName")),
                                 (0, "gamehub") if "no-disruption" in components else (1, None))

    def test_publish_each_port_where_a_component_says_so(self):
        loud = {kind: [each["spec"]["rules"][0]["backendRefs"][0]["name"] for each in of_kind(
            manifests.compose("base", "gateway", "gateway-plain", "gateway-udp"), kind)] for kind in relations.LISTENER_OF}
        self.assertEqual(loud, {"HTTPRoute": ["gamehub-http"], "TLSRoute": ["gamehub-opcodes", "gamehub-turns"],
                                "TCPRoute": ["gamehub-opcodes", "gamehub-turns"], "UDPRoute": ["gamehub-udp"]})
        outside = [each["metadata"]["name"] for each in of_kind(manifests.compose("base", "load-balancers"), "Service")
                   if each["spec"].get("type") == "LoadBalancer"]
        self.assertEqual(outside, ["gamehub-opcodes", "gamehub-turns", "gamehub-udp"])
        self.assertEqual([each for each in of_kind(manifests.compose("base"), "Service") if "type" in each["spec"]], [])

    def test_need_no_retired_controller(self):
        for path in manifests.KUBERNETES.rglob("*.*"):
            self.assertNotIn("nginx", path.read_text(), path)
        for name, objects in self.objects.items():
            self.assertEqual(of_kind(objects, "Ingress"), [], name)
            self.assertEqual(len(of_kind(objects, "Gateway")), 0 if name == "local" else 1, name)

    def test_trust_no_proxy_before_somebody_names_it(self):
        nowhere = ipaddress.ip_network("192.0.2.0/24")
        for name, objects in self.objects.items():
            told = re.findall(r"^http-trusted-proxy = (.*)$", configuration(objects)["data"]["gamehub.conf"], re.MULTILINE)
            self.assertEqual(len(told), 0 if name == "local" else 1, name)
            for each in told:
                self.assertTrue(ipaddress.ip_network(each).subnet_of(nowhere), each)
                self.assertTrue(f"`{each}`" in (ROOT / "deploy/README.md").read_text())

    def test_serve_both_families_of_addresses(self):
        for objects in self.objects.values():
            for each in of_kind(objects, "Service"):
                self.assertEqual(each["spec"]["ipFamilyPolicy"], "PreferDualStack", each["metadata"]["name"])
            told = configuration(objects)["data"]["gamehub.conf"].splitlines()
            self.assertEqual([line for line in told if "listen = " in line], ["listen = ::", "admin-listen = ::"])

    def test_reach_dns_wherever_it_is(self):
        for name, objects in self.objects.items():
            rules = one(objects, "NetworkPolicy", "dns")["spec"]["egress"]
            ends = [(end, port["port"]) for rule in rules for end in rule["to"] for port in rule["ports"]
                    if port["protocol"] == "UDP"]
            self.assertIn(({"ipBlock": {"cidr": "169.254.20.10/32"}}, 53), ends, name)
            self.assertIn(("openshift-dns", 5353), [(end.get("namespaceSelector", {}).get("matchLabels", {}).get(
                "kubernetes.io/metadata.name"), port) for end, port in ends], name)

    def test_name_the_version_of_the_image(self):
        for objects in self.objects.values():
            made = workload(objects)
            for each in (made, made["spec"]["template"]):
                labels = each["metadata"]["labels"]
                self.assertEqual(labels["app.kubernetes.io/managed-by"], "kustomize")
                self.assertEqual(labels.get("app.kubernetes.io/version", "dev"), box(objects)["image"].rsplit(":", 1)[1])
            # A StatefulSet with other ones would be refused.
            for claim in made["spec"].get("volumeClaimTemplates", []):
                self.assertNotIn("app.kubernetes.io/version", claim["metadata"].get("labels", {}))

    def test_leave_a_hub_with_a_volume_where_it_is(self):
        for objects in self.objects.values():
            notes = workload(objects)["spec"]["template"]["metadata"].get("annotations", {})
            alone = workload(objects)["kind"] == "StatefulSet"
            self.assertEqual(notes.get("cluster-autoscaler.kubernetes.io/safe-to-evict") == "false", alone)
            self.assertEqual(notes.get("karpenter.sh/do-not-disrupt") == "true", alone)
            for claim in workload(objects)["spec"].get("volumeClaimTemplates", []):
                self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOncePod"])

    def test_wait_for_the_hub_before_a_restore(self):
        section = (ROOT / "deploy/README.md").read_text().split("### Backup and restore")[1].split("### ")[0]
        commands = re.findall(r"^kubectl -n gamehub (.*)$", section, re.MULTILINE)
        scaled = next(i for i, each in enumerate(commands) if each.startswith("scale statefulset/gamehub --replicas 0"))
        waits = re.match(r"wait --for=delete pod/gamehub-0 --timeout=(\d+)m", commands[scaled + 1])
        self.assertTrue(waits, commands[scaled + 1])
        for objects in self.objects.values():
            self.assertGreater(int(waits[1]) * 60, pod(objects)["terminationGracePeriodSeconds"])
        self.assertTrue(commands[scaled + 2].startswith("apply -f deploy/kubernetes/restore.yaml"))

    def test_open_udp_only_where_it_is_wanted(self):
        for name, objects in self.objects.items():
            ports = [port for each in of_kind(objects, "Service") for port in each["spec"]["ports"]]
            ports += box(objects)["ports"]
            ports += [port for each in of_kind(objects, "NetworkPolicy") for rule in each["spec"].get("ingress", [])
                      for port in rule.get("ports", [])]
            is_open = any(port.get("protocol") == "UDP" for port in ports)
            self.assertEqual(is_open, name == "local", name)
            self.assertEqual("\nudp-port = off\n" not in configuration(objects)["data"]["gamehub.conf"], is_open, name)

    def test_have_a_pod_for_restoring_that_is_as_safe(self):
        objects = self.objects["local"] + [manifests.load("restore.yaml")]
        self.assertEqual(self.complaints(objects), [])
        mended, hub = the(objects, "Pod")["spec"], pod(objects)
        for name in ("runAsUser", "runAsGroup", "fsGroup"):
            self.assertEqual(mended["securityContext"][name], hub["securityContext"][name])
        self.assertEqual(mended["volumes"][0]["persistentVolumeClaim"]["claimName"],
                         f"{the(objects, 'StatefulSet')['spec']['volumeClaimTemplates'][0]['metadata']['name']}-gamehub-0")
        self.assertEqual(mended["containers"][0]["image"], box(objects)["image"])

    def test_would_be_complained_of_for_each_mistake_with_several_hubs(self):
        for name, (make, words) in MISTAKES_WITH_SEVERAL.items():
            with self.subTest(name):
                objects = copy.deepcopy(self.objects["several"])
                make(objects)
                self.assertIn(words, self.complaints(objects))

    def test_bring_the_dashboards_where_grafana_looks_for_them(self):
        found = [each for each in of_kind(self.objects["production"], "ConfigMap")
                 if each["metadata"]["labels"].get("grafana_dashboard") == "1"]
        self.assertEqual([sorted(each["data"]) for each in found], [["engines.json", "operators.json", "players.json"]])

    def test_roll_the_pods_when_a_setting_changes(self):
        for objects in self.objects.values():
            self.assertRegex(configuration(objects)["metadata"]["name"], re.compile(r"^gamehub-[a-z0-9]{10}$"))


unittest.main(argv=sys.argv[:1], verbosity=2)
