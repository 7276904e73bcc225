import type { JsonSchema } from "@plinth/core/http";

const INLINES = { type: "array", items: { $ref: "blocks#inline" } } as const;

function node(type: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    required: ["type", ...Object.keys(members)],
    properties: { type: { const: type }, ...members },
  };
}

const optionalFlags = ["bold", "italic", "underline", "strikethrough", "code"].map((key) => [key, { type: "boolean" }]);

/** Rich text as a list of nodes; keys beside these are kept. @source plugins/content-api/WIRE.md#values */
export const BLOCK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  "blocks#node": {
    anyOf: [
      node("paragraph", { children: INLINES }),
      node("quote", { children: INLINES }),
      node("code", { children: INLINES }),
      node("heading", { level: { enum: [1, 2, 3, 4, 5, 6] }, children: INLINES }),
      node("image", {
        image: { type: "object", required: ["url"], properties: { url: { type: "string" } } },
        children: INLINES,
      }),
      { $ref: "blocks#list" },
    ],
  },
  "blocks#list": node("list", {
    format: { enum: ["ordered", "unordered"] },
    children: { type: "array", items: { anyOf: [node("list-item", { children: INLINES }), { $ref: "blocks#list" }] } },
  }),
  "blocks#inline": {
    anyOf: [
      {
        type: "object",
        required: ["type", "text"],
        properties: { type: { const: "text" }, text: { type: "string" }, ...Object.fromEntries(optionalFlags) },
      },
      node("link", { url: { type: "string" }, children: { type: "array", items: { $ref: "blocks#inline" } } }),
    ],
  },
};
