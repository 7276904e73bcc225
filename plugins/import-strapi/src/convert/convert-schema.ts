import type { RawContentType } from "@plinth/core";
import { isScalarKind, type RawAttribute, type RawComponent, SCALAR_TRAITS } from "@plinth/core/schema";
import type { ExportedSchema } from "../source/export-format.js";
import type { Issues } from "../issues.js";

/** What the server adds to the attributes of every content-type. */
const ADDED = new Set([
  ...["id", "documentId", "createdAt", "updatedAt", "publishedAt", "createdBy", "updatedBy", "locale", "localizations"],
]);

/** Options that every attribute may have here. */
const KEPT = ["type", "required", "private", "pluginOptions", "displayName", "description", "customField"];

/** Options of forms, of the admin panel and of other tables, which have no effect here. */
const WITHOUT_MEANING = new Set([
  ...["configurable", "visible", "editable", "sortable", "column", "conditions", "useJoinTable"],
  ...["joinTable", "joinColumn", "morphColumn", "owner", "dominant", "maxSize", "minSize", "searchable", "enumName"],
  ...["unstable_virtual", "placeholder"],
]);

const KEPT_OF_FORM: Readonly<Record<string, readonly string[]>> = {
  relation: ["relation", "target", "inversedBy", "mappedBy", "morphBy"],
  media: ["multiple", "allowedTypes"],
  component: ["component", "repeatable", "min", "max"],
  dynamiczone: ["components", "min", "max"],
};

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** What a schema is converted among. */
export interface SchemaContext {
  /** Whether there will be a content-type of that uid. */
  hasType(uid: string): boolean;
  /** Whether a content-type will have an attribute of that name. */
  hasAttribute(uid: string, name: string): boolean;
  readonly issues: Issues;
}

/** The content of a content-type's schema file; what it cannot express is an issue. */
export function convertContentType(schema: ExportedSchema, context: SchemaContext): Omit<RawContentType, "uid"> {
  const i18n = schema.pluginOptions?.["i18n"];
  const { singularName, pluralName, displayName, description } = schema.info ?? {};
  const privateAttributes = schema.options?.["privateAttributes"];
  return {
    kind: schema.kind ?? "collectionType",
    ...(schema.collectionName === undefined ? {} : { collectionName: schema.collectionName }),
    info: withoutEmpty({ singularName, pluralName, displayName, description }),
    options: {
      draftAndPublish: schema.options?.["draftAndPublish"] === true,
      ...(Array.isArray(privateAttributes) && privateAttributes.length > 0 ? { privateAttributes } : {}),
    },
    ...(i18n === undefined ? {} : { pluginOptions: { i18n } }),
    attributes: convertAttributes(schema, context),
  };
}

/** The content of a component's schema file; what it cannot express is an issue. */
export function convertComponent(schema: ExportedSchema, context: SchemaContext): Omit<RawComponent, "uid"> {
  const { displayName, description, icon } = schema.info ?? {};
  return { info: withoutEmpty({ displayName, description, icon }), attributes: convertAttributes(schema, context) };
}

/** The names of attributes that people gave a type. */
export function ownAttributes(schema: ExportedSchema): readonly (readonly [string, RawAttribute])[] {
  const isContentType = schema.modelType === "contentType";
  return Object.entries(schema.attributes).filter(([name]) => !(isContentType && ADDED.has(name)));
}

function convertAttributes(schema: ExportedSchema, context: SchemaContext): Record<string, RawAttribute> {
  const converted = ownAttributes(schema).flatMap(([name, raw]) => {
    const where = `${schema.uid}#${name}`;
    const reason = NAME.test(name)
      ? reasonAgainst(schema, raw, context)
      : "its name may have letters, digits and _ only";
    if (reason !== undefined) context.issues.add(where, `the attribute is left out: ${reason}`);
    return reason === undefined ? [[name, convertAttribute(schema, where, raw, context)] as const] : [];
  });
  return Object.fromEntries(converted);
}

/** Why an attribute cannot be converted; undefined when it can. */
function reasonAgainst(schema: ExportedSchema, raw: RawAttribute, context: SchemaContext): string | undefined {
  const kind = String(raw["type"]);
  if (!isScalarKind(kind) && !Object.hasOwn(KEPT_OF_FORM, kind)) return `there is no attribute type "${kind}"`;
  if (kind !== "relation") return undefined;
  const target = raw["target"];
  if (typeof target === "string" && !context.hasType(target)) return `there is no content-type ${target}`;
  const owner = raw["mappedBy"] ?? raw["morphBy"];
  if (typeof owner === "string" && schema.modelType === "contentType" && !context.hasAttribute(String(target), owner))
    return `${String(target)} has no attribute "${owner}" that would own the relation`;
  return undefined;
}

function convertAttribute(
  schema: ExportedSchema,
  where: string,
  raw: RawAttribute,
  context: SchemaContext,
): RawAttribute {
  const kind = String(raw["type"]);
  const kept = [...KEPT, ...(isScalarKind(kind) ? SCALAR_TRAITS[kind].options : (KEPT_OF_FORM[kind] ?? []))];
  // Options of a custom field are for its form.
  if (raw["customField"] !== undefined) kept.push("options");
  const entries = Object.entries(raw).filter(([key, value]) => {
    if (kept.includes(key)) return isSaid(value) && !isLostSide(schema, raw, key, context);
    const isSilent = WITHOUT_MEANING.has(key) || !isSaid(value) || value === false;
    if (!isSilent) context.issues.add(where, `its option "${key}" is left out: a ${kind} has none here`);
    return false;
  });
  if (typeof raw["customField"] === "string")
    context.issues.add(where, `the custom field ${raw["customField"]} becomes a plain ${kind}, which keeps its name`);
  if (kind === "timestamp")
    context.issues.add(where, "clients get it as ISO 8601; the other server sent milliseconds as text");
  return Object.fromEntries(entries);
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Whether an attribute names another side that will not be there; the relation stays, seen from this side. */
function isLostSide(schema: ExportedSchema, raw: RawAttribute, key: string, context: SchemaContext): boolean {
  if (key !== "inversedBy") return false;
  return schema.modelType === "component" || !context.hasAttribute(String(raw["target"]), String(raw["inversedBy"]));
}

function withoutEmpty<Texts extends Readonly<Record<string, string | undefined>>>(
  texts: Texts,
): { [Key in keyof Texts]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => isSaid(text))) as {
    [Key in keyof Texts]?: string;
  };
}
