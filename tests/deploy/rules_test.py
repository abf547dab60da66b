"""The rules of deploy/prometheus: they are valid, their unit tests pass, and their unit tests would fail if a rule were
broken."""
import json
import re
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

import promtool
import vocabulary
from places import ROOT, find, skip

README = ROOT / "deploy/README.md"


def leave(_):
    pass


def spoil_never(rule):
    rule["expr"] = "vector(1) > 2"


def spoil_always(rule):
    rule["expr"] = f"{rule['expr'].strip()} or up * 0 or vector(0)"


def spoil_wait(rule):
    rule.pop("for", None)


SPOILS = {"never fires": spoil_never, "always fires": spoil_always, "does not wait": spoil_wait}


def tests_of(alert):
    """The unit tests of an alert, one document each: those that name it, and last the healthy hub, which finds the
    fewest mistakes."""
    def about(test):
        return [each for each in test.get("alert_rule_test", []) if each["alertname"] == alert]
    documents = [promtool.load(file) for file in sorted(promtool.TESTS.glob("*_test.yaml"))]
    for document in documents:
        tests = [{**test, "alert_rule_test": about(test)} for test in document["tests"] if about(test)]
        if tests:
            yield {**document, "tests": tests}
    yield from (document for document in documents if "alert_rule_test" not in document["tests"][0])


def spoilt(alert, spoil):
    """The shared rules and one alert, which is much faster than all of them."""
    groups = promtool.groups()
    for group in groups:
        group["rules"] = [rule for rule in group["rules"] if rule.get("alert", alert) == alert]
        for rule in (rule for rule in group["rules"] if "alert" in rule):
            spoil(rule)
    return groups


def survives(alert, spoil):
    """Whether all tests pass although the alert is broken."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "rules.yaml"
        rules.write_text(json.dumps({"groups": spoilt(alert, spoil)}))
        for number, document in enumerate(tests_of(alert)):
            document["rule_files"] = [str(rules)]
            file = Path(folder) / f"{number}_test.yaml"
            file.write_text(json.dumps(document))
            if promtool.run("test", "rules", file)[0] != 0:
                return False
    return True


class Rules(unittest.TestCase):
    def test_are_in_order(self):
        for file in sorted(promtool.RULES.glob("*.yaml")):
            code, said = promtool.run("check", "rules", file)
            self.assertEqual(code, 0, said)

    def test_do_what_their_tests_say(self):
        with ThreadPoolExecutor(2) as pool:
            for code, said in pool.map(lambda file: promtool.run("test", "rules", file),
                                       sorted(promtool.TESTS.glob("*_test.yaml"))):
                self.assertEqual(code, 0, said)

    def test_of_which_each_alert_has_one_that_fires_and_one_that_does_not(self):
        for rule in promtool.rules("alert"):
            told = [bool(each["exp_alerts"]) for document in tests_of(rule["alert"]) for test in document["tests"]
                    for each in test.get("alert_rule_test", []) if each["alertname"] == rule["alert"]]
            self.assertIn(True, told, rule["alert"])

    def test_fail_their_tests_when_broken(self):
        broken = [(rule["alert"], how) for rule in promtool.rules("alert") for how in SPOILS
                  if how != "does not wait" or "for" in rule]
        whole = [rule["alert"] for rule in promtool.rules("alert")]
        with ThreadPoolExecutor(2) as pool:
            self.assertTrue(all(pool.map(lambda alert: survives(alert, leave), whole)))
            found = list(pool.map(lambda each: survives(each[0], SPOILS[each[1]]), broken))
        unseen = [f"{alert}: no test sees that it {how}" for (alert, how), yes in zip(broken, found) if yes]
        self.assertEqual(unseen, [])
        print(f"{len(broken)} broken alerts, each found by its tests", file=sys.stderr)

    def test_talk_of_what_the_hub_tells(self):
        recorded = {rule["record"] for rule in promtool.rules("record")}
        wrong = [f"{rule.get('alert') or rule['record']}: {what}"
                 for rule in promtool.rules("expr") for what in vocabulary.complaints(rule["expr"], recorded)]
        self.assertEqual(wrong, [])

    def test_are_loaded_and_inhibited_as_the_readme_says(self):
        blocks = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)]
        scrape, inhibit = (next(block for block in blocks if key in block) for key in ("scrape_configs", "inhibit_rules"))
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "prometheus.yaml"
            files = [str(path) for path in promtool.RULES.glob("*.yaml")]
            config.write_text(yaml.safe_dump({**scrape, "rule_files": files}))
            code, said = promtool.run("check", "config", config)
            self.assertEqual(code, 0, said)
        self.assertEqual([each["job_name"] for each in scrape["scrape_configs"]], ["gamehub"])
        alerts = [rule["alert"] for rule in promtool.rules("alert")]
        for rule in inhibit["inhibit_rules"]:
            self.assertEqual(rule["equal"], ["instance"])
            for matcher in rule["source_matchers"] + rule["target_matchers"]:
                for name in re.match(r'alertname=~?"(.*)"$', matcher)[1].split("|"):
                    self.assertTrue(any(re.fullmatch(name, alert) for alert in alerts), name)

    def test_lead_to_their_entry_in_the_runbook(self):
        entries = re.findall(r"^#### (Gamehub\w+)$", README.read_text(), re.MULTILINE)
        alerts = [rule["alert"] for rule in promtool.rules("alert")]
        self.assertEqual(sorted(entries), sorted(alerts))
        for rule in promtool.rules("alert"):
            self.assertEqual(rule["annotations"]["runbook_url"], f"https://games.example.com/deploy/README.md#{rule['alert'].lower()}")
            self.assertIn(rule["labels"]["severity"], ("page", "ticket"))


if find("promtool") is None:
    skip("there is no promtool (./dev install test)")
unittest.main(argv=sys.argv[:1], verbosity=2)
