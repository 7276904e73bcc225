import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import type * as v from "@plinth/core/valibot";
import { toJsonSchema } from "../../vendor/to-json-schema.mjs";

type BodySchema = NonNullable<RouteDescription["body"]>["schema"];

/**
 * The JSON Schema of a body. Checks by code cannot be expressed, and are left out: a document then allows more
 * than the route does.
 */
export function bodySchema(schema: BodySchema): JsonSchema {
  if (typeof schema === "boolean" || !isSchema(schema)) return schema;
  // Output: of what is looked at twice, the first look is at its form only.
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, {
    typeMode: "output",
    errorMode: "ignore",
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { allowed: _words, secret: _isSecret, ...others } = jsonSchema as Readonly<Record<string, unknown>>;
      // A text of n bytes has at most n characters.
      return valibotAction.type === "max_bytes" ? { ...others, maxLength: requirementOf(valibotAction) } : others;
    },
  });
  return converted;
}

const requirementOf = (action: object): number => (action as { readonly requirement: number }).requirement;

function isSchema(schema: object): schema is v.GenericSchema {
  return "~standard" in schema;
}
