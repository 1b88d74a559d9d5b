/**
 * Generates TypeScript types from openapi.json into generated/schema.ts.
 *
 * Supports the JSON Schema features that the server uses. Anything else is an error, because a
 * silent `unknown` would hide a change of the API.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const web = new URL("../", import.meta.url);
const { components } = JSON.parse(readFileSync(new URL("openapi.json", web), "utf8"));

const primitives = {
  boolean: "boolean",
  integer: "number",
  null: "null",
  number: "number",
  string: "string",
};

function identifier(name) {
  return name.replaceAll(/[^A-Za-z0-9]+/g, "_").replace(/_$/, "");
}

function typeOf(schema) {
  if (schema.$ref) return identifier(schema.$ref.split("/").at(-1));
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return [...new Set(union.map(typeOf))].join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return `readonly (${schema.items ? typeOf(schema.items) : "unknown"})[]`;
  if (schema.type === "object") return objectType(schema);
  if (schema.type in primitives) return primitives[schema.type];
  if (schema.type === undefined) return "unknown";
  throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`);
}

function objectType(schema) {
  if (schema.properties === undefined) {
    const values = schema.additionalProperties;
    return `Readonly<Record<string, ${typeof values === "object" ? typeOf(values) : "unknown"}>>`;
  }
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const mark = required.has(name) ? "" : "?";
    return `  ${JSON.stringify(name)}${mark}: ${typeOf(field)};`;
  });
  return `{\n${fields.join("\n")}\n}`;
}

const types = Object.entries(components.schemas).map(
  ([name, schema]) => `export type ${identifier(name)} = ${typeOf(schema)};\n`,
);

mkdirSync(new URL("generated/", web), { recursive: true });
writeFileSync(
  new URL("generated/schema.ts", web),
  `// Generated from openapi.json by scripts/types.mjs at every build.\n\n${types.join("\n")}`,
);
