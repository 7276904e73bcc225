import type { AccessProblem } from "../../access/check-grant.js";
import { namesUser, type Rule } from "../../access/rule.js";
import type { Attribute, Component, ContentModel, ContentType } from "../../schema/model.js";

/**
 * Where a rule takes its caller for somebody else. `{{user.id}}` of an administrator is the id of an administrator, and an end
 * user may have the same number: as the id of a document, or as what a relation leads to, it may stand for administrators
 * only. Of all other callers it may stand for anything but these.
 */
export function mistakenUsers(
  known: KnownTypes,
  rule: Rule,
  type: ContentType,
  path: string,
): readonly AccessProblem[] {
  return [
    ...mistakenIn(known, { shape: type, target: type.uid }, rule.where, `${path}.where`),
    ...mistakenIn(known, { shape: type, target: undefined }, rule.set, `${path}.set`),
  ];
}

interface KnownTypes {
  readonly model: ContentModel;
  /** Whether it is a rule of administrators. */
  readonly isAdmin: boolean;
}

/** What a value in a rule is about. */
interface Subject {
  /** Whose attributes its keys name. */
  readonly shape: ContentType | Component | undefined;
  /** The content-type of which it is an id, if it is one. */
  readonly target: string | undefined;
}

function mistakenIn(known: KnownTypes, subject: Subject, value: unknown, path: string): readonly AccessProblem[] {
  if (typeof value === "string") return mistakenText(known, subject, value, path);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    mistakenIn(known, subjectOf(known, subject, key), inner, `${path}.${key}`),
  );
}

function mistakenText(
  { model, isAdmin }: KnownTypes,
  { target }: Subject,
  text: string,
  path: string,
): readonly AccessProblem[] {
  if (target === undefined || !namesUser(text) || (target === model.authorType) === isAdmin) return [];
  const whose = isAdmin ? "an administrator" : "an end user";
  const message = `${text} is the id of ${whose}, and this is an id of ${target}: another account may have the same`;
  return [{ path, message }];
}

/** Operators, and the forms of links, are about the same as what they stand in. */
function subjectOf(known: KnownTypes, subject: Subject, key: string): Subject {
  const { shape, target } = subject;
  const attribute = shape?.attributes.get(key);
  if (attribute) return subjectOfAttribute(known, attribute);
  if (shape?.shape !== "content-type") return subject;
  // Who is no administrator may not name these; see check-names.ts.
  if (shape.authors.has(key)) return { shape: undefined, target: known.isAdmin ? known.model.authorType : undefined };
  return shape.systemFields.has(key) ? { shape: undefined, target } : subject;
}

function subjectOfAttribute({ model }: KnownTypes, attribute: Attribute): Subject {
  if (attribute.kind === "component") return { shape: model.components.get(attribute.component), target: undefined };
  if (!("relation" in attribute) || attribute.target === undefined) return { shape: undefined, target: undefined };
  return { shape: model.contentTypes.get(attribute.target), target: attribute.target };
}
