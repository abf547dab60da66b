"""Grafana's JSON from dashboards.yaml."""
import json
import re
from pathlib import Path

import yaml

SOURCE = Path(__file__).resolve().parent / "dashboards.yaml"
HUB = 'instance=~"$instance"'
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
COLUMNS = 24
SIZES = {"stat": (4, 4), "timeseries": (8, 8)}
# The schema version that Grafana 10 and later read without a migration.
SCHEMA_VERSION = 39


def expression(query):
    """`{hub}` on its own is a selector; before other labels it is a part of one."""
    return query.replace("{hub}", "{" + HUB + "}").replace("{hub,", "{" + HUB + ",")


def target(query, letter):
    legend = re.match(r"([^(]*?): (.*)", query)
    text, words = (legend[2], legend[1]) if legend else (query, "")
    return {"refId": letter, "expr": expression(text), "legendFormat": words or "__auto", "datasource": DATASOURCE}


def steps(panel):
    """Green, and red beyond the bound."""
    if "most" in panel:
        return [{"value": None, "color": "green"}, {"value": panel["most"], "color": "red"}]
    if "least" in panel:
        return [{"value": None, "color": "red"}, {"value": panel["least"], "color": "green"}]
    return [{"value": None, "color": "green"}]


def field_config(panel, kind):
    defaults = {"unit": panel.get("unit", "short"), "thresholds": {"mode": "absolute", "steps": steps(panel)}}
    if kind == "timeseries":
        bounded = "most" in panel or "least" in panel
        defaults["custom"] = {
            "drawStyle": "line", "fillOpacity": 30 if panel.get("stack") else 0, "showPoints": "never",
            "stacking": {"mode": "normal" if panel.get("stack") else "none", "group": "A"},
            "thresholdsStyle": {"mode": "dashed" if bounded else "off"}}
        defaults["min"] = 0
    return {"defaults": defaults, "overrides": []}


OPTIONS = {
    "stat": {"colorMode": "value", "graphMode": "area", "justifyMode": "auto", "orientation": "auto", "textMode": "auto",
             "wideLayout": True, "showPercentChange": False, "percentChangeColorMode": "standard",
             "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}},
    "timeseries": {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"],
                              "showLegend": True},
                   "tooltip": {"mode": "multi", "sort": "desc"}},
}


class Page:
    """Puts panels beside each other, and below when there is no more room."""

    def __init__(self):
        self.panels, self.x, self.y, self.height = [], 0, 0, 0

    def break_line(self):
        self.x, self.y, self.height = 0, self.y + self.height, 0

    def place(self, panel, width, height):
        if self.x + width > COLUMNS or height != self.height and self.height:
            self.break_line()
        panel.update(id=len(self.panels) + 1, gridPos={"x": self.x, "y": self.y, "w": width, "h": height})
        self.panels.append(panel)
        self.x, self.height = self.x + width, height


def dashboard(name, source):
    page = Page()
    for row, panels in source["rows"].items():
        page.break_line()
        page.place({"type": "row", "title": row, "collapsed": False, "panels": []}, COLUMNS, 1)
        for panel in panels:
            kind = panel.get("kind", "timeseries")
            page.place({"type": kind, "title": panel["title"], "description": panel.get("about", ""),
                        "datasource": DATASOURCE, "fieldConfig": field_config(panel, kind), "options": OPTIONS[kind],
                        "targets": [target(query, "ABCDEFGH"[at]) for at, query in enumerate(panel["queries"])]},
                       *SIZES[kind])
    return {
        "uid": f"gamehub-{name}", "title": f"gamehub: {source['title']}", "description": source["about"],
        "tags": ["gamehub"], "schemaVersion": SCHEMA_VERSION, "editable": True, "graphTooltip": 1, "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"}, "timezone": "browser", "panels": page.panels,
        "links": [{"type": "dashboards", "tags": ["gamehub"], "title": "gamehub", "asDropdown": False, "icon": "",
                   "includeVars": True, "keepTime": True, "targetBlank": False, "tooltip": "", "url": ""}],
        "annotations": {"list": [{
            "name": "Starts and drains", "enable": True, "iconColor": "blue", "datasource": DATASOURCE,
            "expr": expression("changes(gamehub_process_start_time_seconds{hub}[1m]) > 0 or gamehub_draining{hub} > 0"),
            "titleFormat": "{{instance}}"}]},
        "templating": {"list": [
            {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
            {"name": "instance", "label": "Hub", "type": "query", "datasource": DATASOURCE, "multi": True,
             "includeAll": True, "allValue": ".*", "refresh": 2, "sort": 1,
             "query": {"query": "label_values(gamehub_ready, instance)", "refId": "A"}}]}}


def outputs():
    """The text of each file beside the source."""
    made = yaml.safe_load(SOURCE.read_text())
    return {SOURCE.with_name(f"{name}.json"): json.dumps(dashboard(name, source), indent=1, ensure_ascii=False) + "\n"
            for name, source in made.items()}
