"""Checks values against JSON schemas, as far as the hub's description uses them: an unknown keyword is an error, and so
is a member that a schema does not name."""

import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"type", "properties", "required", "items", "oneOf", "const", "enum", "minLength", "maxLength", "minimum",
         "maximum", "pattern"}
REMARKS = {"description", "examples", "discriminator", "format"}


def is_of_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def resolve(document, part):
    """Resolves a reference to another part."""
    while "$ref" in part:
        found = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        part = found
    return part


def faults(document, schema, value, at="$"):
    """The violations of a value, a sentence each."""
    schema = resolve(document, schema)
    out = [f"{at}: the schema has {word}, which is not known here" for word in schema.keys() - WORDS - REMARKS]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_of_type(value, kind) for kind in kinds):
        return [*out, f"{at} is {value!r}, not {' or '.join(kinds)}"]
    if "const" in schema and value != schema["const"]:
        out.append(f"{at} is {value!r}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{at} is {value!r}, none of {schema['enum']!r}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        out.append(f"{at} is {value!r}, which does not match {schema['pattern']}")
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        out.append(f"{at} has {len(value)} characters")
    if is_of_type(value, "integer") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        out.append(f"{at} is {value}, out of bounds")
    if "oneOf" in schema:
        fits = [not faults(document, each, value, at) for each in schema["oneOf"]]
        if sum(fits) != 1:
            out.append(f"{at} fits {sum(fits)} of {len(fits)} schemas: {value!r}")
    if isinstance(value, dict) and "properties" in schema:
        out += [f"{at} lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, each in value.items():
            if name in schema["properties"]:
                out += faults(document, schema["properties"][name], each, f"{at}.{name}")
            else:
                out.append(f"{at} has {name}, which is not described")
    if isinstance(value, list) and "items" in schema:
        for number, each in enumerate(value):
            out += faults(document, schema["items"], each, f"{at}[{number}]")
    return out
