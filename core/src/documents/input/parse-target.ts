import type { ContentModel, RelationAttribute } from "../../schema/model.js";
import { problemAt, wrongType } from "../../schema/value-problem.js";
import type { ValueProblem } from "../../schema/value-problem.js";
import type { RelationTarget } from "../input.js";
import { isRecord, ownValue } from "./is-record.js";
import { isTyped } from "./relation-keys.js";

/** What the parsers of one relation share. */
export interface RelationContext {
  readonly model: ContentModel;
  readonly attribute: RelationAttribute;
  /** Where problems are put. */
  readonly problems: ValueProblem[];
}

type Path = readonly string[];
type Named = { readonly documentId: string } | { readonly id: number };

/** A text of digits that a row id can have; document ids are longer. */
const ROW_ID = /^\d{1,15}$/;

/**
 * Reads one target: a document id, a row id as number or text, or an object with one of them. With both, the document
 * id counts. Whether the target exists is found out later.
 *
 * @param defaultType - type of a polymorphic target that names none.
 * @returns undefined when there was a problem.
 */
export function parseTarget(
  value: unknown,
  path: Path,
  context: RelationContext,
  defaultType?: unknown,
): RelationTarget | undefined {
  const before = context.problems.length;
  const named = isRecord(value) ? parseNamed(value, path, context) : parseId(value, path, context);
  const type = isTyped(context.attribute) ? parseType(value, path, context, defaultType) : undefined;
  if (!named || context.problems.length > before) return undefined;
  return type === undefined ? named : { ...named, type };
}

function parseNamed(value: Readonly<Record<string, unknown>>, path: Path, context: RelationContext): Named | undefined {
  checkVersion(value, path, context);
  const documentId = ownValue(value, "documentId");
  if (documentId === undefined || documentId === null) return parseId(ownValue(value, "id"), [...path, "id"], context);
  if (typeof documentId === "string") return parseDocumentId(documentId, [...path, "documentId"], context);
  context.problems.push(problemAt([...path, "documentId"], wrongType("string", documentId), documentId));
  return undefined;
}

function parseId(value: unknown, path: Path, context: RelationContext): Named | undefined {
  if (typeof value === "string")
    return ROW_ID.test(value) ? { id: Number(value) } : parseDocumentId(value, path, context);
  if (typeof value === "number" && Number.isSafeInteger(value)) return { id: value };
  context.problems.push(problemAt(path, "must be the document id or the row id of an entry", value));
  return undefined;
}

function parseDocumentId(value: string, path: Path, context: RelationContext): Named | undefined {
  if (value !== "" && !value.includes("\u0000")) return { documentId: value };
  context.problems.push(problemAt(path, "must be the document id or the row id of an entry", value));
  return undefined;
}

/** Relations point to documents, so status and locale change nothing; they only have to be well formed. */
export function checkVersion(value: Readonly<Record<string, unknown>>, path: Path, context: RelationContext): void {
  const status = ownValue(value, "status") ?? "draft";
  if (status !== "draft" && status !== "published") {
    context.problems.push(
      problemAt([...path, "status"], "must be one of the following values: draft, published", status),
    );
  }
  const locale = ownValue(value, "locale") ?? "";
  if (typeof locale !== "string")
    context.problems.push(problemAt([...path, "locale"], wrongType("string", locale), locale));
}

function parseType(value: unknown, path: Path, context: RelationContext, defaultType: unknown): string | undefined {
  const type = (isRecord(value) ? ownValue(value, "__type") : undefined) ?? defaultType;
  if (typeof type === "string" && context.model.contentTypes.has(type)) return type;
  const text = type === undefined ? "is a required field" : "must be the uid of a content-type";
  context.problems.push(problemAt([...path, "__type"], text, type));
  return undefined;
}
