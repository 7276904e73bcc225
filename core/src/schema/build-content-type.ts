import { snakeCase } from "../base/case.js";
import { isUid } from "../base/uid.js";
import { isScalarKind, SCALAR_TRAITS } from "./attribute.js";
import { buildAttributes } from "./build-attributes.js";
import { buildAuthors, buildSystemFields } from "./build-system-fields.js";
import { readIndexes } from "./build-indexes.js";
import { buildLocalizations, buildRelated } from "./build-relation.js";
import type { Attribute, Component, ContentType, SystemId } from "./model.js";
import type { RawComponent, RawContentType } from "./raw.js";
import { isRecord } from "./read-options.js";
import type { OwnerSource } from "./read-options.js";
import type { Report } from "./errors.js";

const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const TABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const COMPONENT_UID = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** The types that attributes of every type lead to. */
export interface SharedTypes {
  /** Uid of what media attributes lead to. */
  readonly fileType: string;
  /** Uid of what `createdBy` and `updatedBy` lead to. */
  readonly authorType: string | undefined;
}

/**
 * Reads one content-type. References to other types are checked when all are read.
 */
export function buildContentType(
  raw: RawContentType,
  { fileType, authorType }: SharedTypes,
  report: Report,
): ContentType {
  if (!isUid(raw.uid)) report("uid", `"${raw.uid}" is not a uid.`, 'Write it like "api::article.article".');
  const isLocalized = hasLocales(raw);
  const owner: OwnerSource = {
    uid: raw.uid,
    shape: "content-type",
    isLocalized,
    privateNames: Array.isArray(raw.options?.["privateAttributes"]) ? raw.options["privateAttributes"] : [],
    fileType,
  };
  const attributes = buildAttributes(raw, owner, report);
  if (isLocalized) attributes.set("localizations", buildLocalizations(raw.uid));
  // An app may have an attribute of that name for something else.
  if (raw.files && !attributes.has("related")) attributes.set("related", buildRelated());
  const systemFields = buildSystemFields(isLocalized);
  return Object.freeze({
    shape: "content-type",
    uid: raw.uid,
    ...readNames(raw, report),
    kind: readKind(raw, report),
    renamedFrom: raw.renamedFrom,
    hasDrafts: raw.options?.["draftAndPublish"] === true,
    isLocalized,
    attributes,
    systemFields,
    indexes: readIndexes(raw, new Map<string, Attribute | SystemId>([...systemFields, ...attributes]), report),
    authors: buildAuthors(authorType),
    personFields: readPersonFields(raw, attributes, report),
    pluginOptions: Object.freeze({ ...raw.pluginOptions }),
    options: Object.freeze({ ...raw.options }),
    mimeColumn: readMimeColumn(raw, attributes, report),
    file: raw.file,
  });
}

/** Reads one component. @param fileType - uid of what media attributes lead to. */
export function buildComponent(raw: RawComponent, fileType: string, report: Report): Component {
  if (!COMPONENT_UID.test(raw.uid)) {
    report(
      "uid",
      `"${raw.uid}" is not a name of a component.`,
      'Write it like "shared.seo": category, dot, file name.',
    );
  }
  const [category = "", name = ""] = raw.uid.split(".");
  const owner: OwnerSource = { uid: raw.uid, shape: "component", isLocalized: false, privateNames: [], fileType };
  return Object.freeze({
    shape: "component",
    uid: raw.uid,
    category,
    displayName: raw.info?.displayName ?? name,
    attributes: buildAttributes(raw, owner, report),
    file: raw.file,
  });
}

function hasLocales({ pluginOptions }: RawContentType): boolean {
  const i18n = pluginOptions?.["i18n"];
  return isRecord(i18n) && i18n["localized"] === true;
}

function readMimeColumn(
  { files }: RawContentType,
  attributes: ReadonlyMap<string, Attribute>,
  report: Report,
): string | undefined {
  if (files === undefined) return undefined;
  const attribute = attributes.get(files.mime);
  if (attribute?.kind === "string") return attribute.column;
  report(
    "files.mime",
    `"${files.mime}" is not an attribute of the type "string".`,
    "Name the one that holds image/png.",
  );
  return undefined;
}

function readPersonFields(
  raw: RawContentType,
  attributes: ReadonlyMap<string, Attribute>,
  report: Report,
): readonly string[] | undefined {
  if (raw.authors === undefined) return undefined;
  const remedy = "Authors have one row each, because content keeps their row ids: remove it.";
  if (raw.options?.["draftAndPublish"] === true) report("options.draftAndPublish", "Authors have no drafts.", remedy);
  if (hasLocales(raw)) report("pluginOptions.i18n", "Authors have no locales.", remedy);
  const isShown = ({ kind, isPrivate }: Attribute) =>
    isScalarKind(kind) && SCALAR_TRAITS[kind].isReadable && !isPrivate;
  for (const name of raw.authors.fields) {
    const attribute = attributes.get(name);
    if (attribute && isShown(attribute)) continue;
    report("authors.fields", `"${name}" is not an attribute with one public value.`, "Name others, such as an e-mail.");
  }
  return Object.freeze([...raw.authors.fields]);
}

function readKind(raw: RawContentType, report: Report): ContentType["kind"] {
  const kind: unknown = raw.kind ?? "collectionType";
  if (kind === "collectionType" || kind === "singleType") return kind;
  report("kind", `${JSON.stringify(kind)} is not a kind of content-type.`, 'Write "collectionType" or "singleType".');
  return "collectionType";
}

type Names = Pick<ContentType, "singularName" | "pluralName" | "displayName" | "table">;

function readNames(raw: RawContentType, report: Report): Names {
  const singularName = readName(raw, "singularName", report);
  const pluralName = readName(raw, "pluralName", report);
  if (singularName !== "" && singularName === pluralName) {
    report("info.pluralName", `Singular and plural are both "${pluralName}".`, "Give the plural another name.");
  }
  const table = raw.collectionName ?? snakeCase(pluralName);
  if (!TABLE_NAME.test(table)) {
    report(
      "collectionName",
      `"${table}" is not a name for a table.`,
      "Use letters, digits, _ and -, beginning with a letter.",
    );
  }
  return { singularName, pluralName, displayName: raw.info?.displayName ?? singularName, table };
}

function readName(raw: RawContentType, key: "singularName" | "pluralName", report: Report): string {
  const name: unknown = raw.info?.[key];
  if (typeof name === "string" && KEBAB_CASE.test(name)) return name;
  const message = name === undefined ? `The ${key} is missing.` : `${JSON.stringify(name)} is no ${key}.`;
  report(`info.${key}`, message, 'Write it in lower case with hyphens, such as "blog-post".');
  return typeof name === "string" ? name : "";
}
