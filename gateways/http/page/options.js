// A form for the options of an engine, from the schema that comes with it: whole numbers, choices, switches
// and words. What is left at its default is not sent.
import {h} from "./dom.js";

const label = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

function fieldFor(name, schema) {
  const id = `option-${name}`;
  const common = {id, name};
  if (schema.enum)
    return h("select", {...common, value: schema.default}, schema.enum.map((each) =>
      h("option", {value: each, selected: each === schema.default}, label(String(each)))));
  if (schema.type === "boolean") return h("input", {...common, type: "checkbox", checked: schema.default === true});
  if (schema.type === "integer" || schema.type === "number")
    return h("input", {...common, type: "number", inputmode: "numeric", min: schema.minimum, max: schema.maximum,
                       step: schema.type === "integer" ? 1 : "any", value: schema.default ?? "", required: true});
  return h("input", {...common, type: "text", maxlength: schema.maxLength, value: schema.default ?? ""});
}

function read(field, schema) {
  if (schema.type === "boolean") return field.checked;
  if (schema.type === "integer" || schema.type === "number") return Number(field.value);
  const found = schema.enum?.find((each) => String(each) === field.value);
  return found ?? field.value;
}

export class Options {
  constructor(schema) {
    this.fields = Object.entries(schema.properties ?? {})
      .map(([name, each]) => ({name, schema: each, field: fieldFor(name, each)}));
    this.element = this.fields.length > 0 &&
      h("fieldset", {class: "options"}, h("legend", {}, "Rules"),
        this.fields.map(({name, field}) => h("label", {for: field.id}, h("span", {}, label(name)), field)));
  }

  // Undefined if all is as usual.
  value() {
    const changed = this.fields.map(({name, schema, field}) => [name, read(field, schema), schema.default])
      .filter(([, value, usual]) => value !== usual);
    return changed.length > 0 ? Object.fromEntries(changed.map(([name, value]) => [name, value])) : undefined;
  }
}
