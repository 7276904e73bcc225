import { pascalCase } from "@plinth/core";
import type { JsonSchema } from "@plinth/core/http";
import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import { componentSchema, entrySchema } from "./entry-schema.js";
import { componentInput, dataSchema, RELATION_SCHEMAS } from "./input-schema.js";
import {
  fieldNames,
  FILTER_SCHEMAS,
  filtersSchema,
  listFiltersSchema,
  populateNames,
  sortNames,
} from "./query-schemas.js";

const INLINES = { type: "array", items: { $ref: "blocks#inline" } } as const;
const SOME_INLINES = { ...INLINES, minItems: 1 } as const;
const TEXTS = { type: "array", items: { $ref: "blocks#text" } } as const;

const LINK = {
  type: "string",
  format: "uri-reference",
  description:
    "A path of the site (`/a`), a place in the page (`#a`), or an address of http, https, ftp, mailto or tel",
} as const;

const NULLABLE_TEXT = { type: ["string", "null"] } as const;
const SIZE = { type: ["number", "null"] } as const;

/** As the library describes files; only the address has to be there. */
const IMAGE: Readonly<Record<string, JsonSchema>> = {
  url: { type: "string", minLength: 1 },
  ...Object.fromEntries(
    ["name", "hash", "mime", "provider", "createdAt", "updatedAt"].map((key) => [key, { type: "string" }]),
  ),
  ...Object.fromEntries(["alternativeText", "caption", "ext", "previewUrl"].map((key) => [key, NULLABLE_TEXT])),
  ...Object.fromEntries(["width", "height", "size"].map((key) => [key, SIZE])),
  formats: { type: ["object", "null"] },
};

function node(type: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    required: ["type", ...Object.keys(members)],
    properties: { type: { const: type }, ...members },
  };
}

const optionalFlags = ["bold", "italic", "underline", "strikethrough", "code"].map((key) => [key, { type: "boolean" }]);

/** Rich text as a list of nodes; keys beside these are kept. @source plugins/content-api/WIRE.md#values */
const BLOCK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  "blocks#node": {
    anyOf: [
      node("paragraph", { children: SOME_INLINES }),
      node("quote", { children: SOME_INLINES }),
      node("code", { children: { ...TEXTS, minItems: 1 } }),
      node("heading", { level: { enum: [1, 2, 3, 4, 5, 6] }, children: SOME_INLINES }),
      node("image", {
        image: { type: "object", required: ["url"], properties: IMAGE },
        children: INLINES,
      }),
      { $ref: "blocks#list" },
    ],
  },
  "blocks#list": node("list", {
    format: { enum: ["ordered", "unordered"] },
    children: {
      type: "array",
      minItems: 1,
      items: { anyOf: [node("list-item", { children: INLINES }), { $ref: "blocks#list" }] },
    },
  }),
  "blocks#inline": { anyOf: [{ $ref: "blocks#text" }, node("link", { url: LINK, children: TEXTS })] },
  "blocks#text": {
    type: "object",
    required: ["type", "text"],
    properties: { type: { const: "text" }, text: { type: "string" }, ...Object.fromEntries(optionalFlags) },
  },
};

/** What the parts of a content-type's uid stand for, after the `#`; "" is the entry itself. */
const OF_TYPE: Readonly<Record<string, (type: ContentType) => JsonSchema>> = {
  "": entrySchema,
  create: (type) => dataSchema(type, "create"),
  update: (type) => dataSchema(type, "update"),
  filters: filtersSchema,
  "list-filters": listFiltersSchema,
  fields: fieldNames,
  populate: populateNames,
  sort: sortNames,
};

const OF_COMPONENT: Readonly<Record<string, (component: Component) => JsonSchema>> = {
  "": componentSchema,
  input: (component) => componentInput(component, "attribute"),
  zone: (component) => componentInput(component, "zone"),
  filters: filtersSchema,
  "list-filters": listFiltersSchema,
};

/** Schemas of no content-type. */
const SHARED: Readonly<Record<string, JsonSchema>> = {
  ...BLOCK_SCHEMAS,
  ...RELATION_SCHEMAS,
  ...FILTER_SCHEMAS,
  "any#entry": {
    description: "An entry of the content-type that __type names",
    type: "object",
    required: ["__type", "documentId"],
    properties: { __type: { type: "string" }, documentId: { type: "string" } },
    additionalProperties: true,
  },
  "any#filters": { type: "object" },
};

/**
 * The schemas that a document needs: those that its operations name, and those that these name. What names nothing in
 * the content model, such as a media attribute's files where there is no upload plugin, allows everything.
 */
export class SchemaSet {
  readonly #names = new SchemaNames();
  readonly #made = new Map<string, JsonSchema>();
  /** Named, and not made yet, by name: schemas name each other in cycles and in long chains. */
  readonly #wanted = new Map<string, string>();
  readonly #model: ContentModel;

  constructor(model: ContentModel) {
    this.#model = model;
  }

  /** The same schema with the names of the content model turned into references of the document. */
  resolve(schema: JsonSchema): JsonSchema {
    return this.#resolve(schema) as JsonSchema;
  }

  /** What was named so far, by name, in alphabetical order. */
  all(): Readonly<Record<string, JsonSchema>> {
    // New schemas add more names, which the loop reaches later.
    for (const [name, ref] of this.#wanted) this.#made.set(name, this.resolve(this.#make(ref) ?? {}));
    this.#wanted.clear();
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#member(key, inner)]));
  }

  #member(key: string, value: unknown): unknown {
    return key === "$ref" && typeof value === "string" ? this.#reference(value) : this.#resolve(value);
  }

  #reference(ref: string): string {
    if (ref.startsWith("#")) return ref;
    const name = this.#names.nameOf(ref);
    if (!this.#made.has(name)) this.#wanted.set(name, ref);
    return `#/components/schemas/${name}`;
  }

  #make(ref: string): JsonSchema | undefined {
    const [uid = "", part = ""] = ref.split("#");
    const type = this.#model.contentTypes.get(uid);
    if (type) return OF_TYPE[part]?.(type);
    const component = this.#model.components.get(uid);
    return component ? OF_COMPONENT[part]?.(component) : SHARED[ref];
  }
}

/** Gives every schema a name for `#/components/schemas`, the same at each start as long as the model is. */
class SchemaNames {
  readonly #byKey = new Map<string, string>();
  /** Those of errors are of no content-type. */
  readonly #taken = new Set(["Error", "ErrorCode"]);

  /** @param key - `api::article.article#create` becomes `ArticleCreate`, `shared.seo` `SharedSeoComponent`. */
  nameOf(key: string): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const name = this.#free(wishOf(key));
    this.#byKey.set(key, name);
    this.#taken.add(name);
    return name;
  }

  #free(wish: string): string {
    let name = wish;
    for (let next = 2; this.#taken.has(name); next++) name = `${wish}${next}`;
    return name;
  }
}

function wishOf(key: string): string {
  const [subject = "", part = ""] = key.split("#");
  return `${subjectName(subject)}${pascalCase(part)}`;
}

function subjectName(subject: string): string {
  const [namespace, path] = subject.split("::");
  if (path === undefined) {
    const [category = "", name] = subject.split(".");
    return name === undefined ? pascalCase(category) : `${pascalCase(category)}${pascalCase(name)}Component`;
  }
  const [owner = "", name = ""] = path.split(".");
  return namespace === "api" && owner === name ? pascalCase(name) : `${pascalCase(owner)}${pascalCase(name)}`;
}
