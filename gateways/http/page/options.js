// A form for the options of an engine, from its schema: numbers, choices, switches and text. Defaults are not sent.
import {h} from "./dom.js";
import {label} from "./words.js";
import {ui} from "./text.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @param {string} name @param {OptionSchema} schema @returns {Field} */
function fieldFor(name, schema) {
  const id = `option-${name}`;
  const common = {id, name};
  if (schema.enum)
    return h("select", common, schema.enum.map((each) =>
      h("option", {value: each, selected: each === schema.default}, label(String(each)))));
  if (schema.type === "boolean") return h("input", {...common, type: "checkbox", checked: schema.default === true});
  if (isNumber(schema))
    return h("input", {...common, type: "number", inputmode: "numeric", min: schema.minimum, max: schema.maximum,
                       step: schema.type === "integer" ? 1 : "any", value: schema.default ?? "", required: true});
  return h("input", {...common, type: "text", maxlength: schema.maxLength, value: schema.default ?? ""});
}

/** @param {OptionSchema} schema */
const isNumber = ({type}) => type === "integer" || type === "number";

// The value of a field by its schema.
/** @param {{value: string, checked?: boolean}} field @param {OptionSchema} schema */
export function read(field, schema) {
  if (schema.type === "boolean") return field.checked;
  if (isNumber(schema)) return Number(field.value);
  const found = schema.enum?.find((each) => String(each) === field.value);
  return found ?? field.value;
}

// The options that differ from their defaults; undefined if none does.
/** @param {{name: string, schema: OptionSchema, field: {value: string, checked?: boolean}}[]} fields */
export function changed(fields) {
  const found = fields.map(({name, schema, field}) => [name, read(field, schema), schema.default])
    .filter(([, value, usual]) => value !== usual);
  return found.length > 0 ? Object.fromEntries(found.map(([name, value]) => [name, value])) : undefined;
}

export class Options {
  /** @param {Engine["options"]} schema */
  constructor(schema) {
    this.fields = Object.entries(schema.properties ?? {})
      .map(([name, each]) => ({name, schema: each, field: fieldFor(name, each)}));
    this.element = this.fields.length > 0 &&
      h("fieldset", {class: "options"}, h("legend", {}, ui.rules),
        this.fields.map(({name, field}) => h("label", {for: field.id}, h("span", {}, label(name)), field)));
  }

  value() {
    return changed(this.fields);
  }
}
