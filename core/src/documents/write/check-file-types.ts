import { findFilesSql } from "../../database/writes/target-sql.js";
import type { Layout } from "../../database/layout/layout.js";
import type { RelationAttribute, Shape } from "../../schema/model.js";
import { problemAt, type ValueProblem } from "../../schema/value-problem.js";
import { assertNoProblems } from "../problems.js";
import type { ComponentInput, RelationChange, RelationTarget, WriteInput } from "../input.js";
import type { WriteScope } from "./write-scope.js";

/** Files that a body puts into an attribute which does not take every kind of them. */
interface Choice {
  readonly attribute: RelationAttribute;
  readonly path: readonly string[];
  readonly targets: readonly RelationTarget[];
}

/** A file of the table, with the type that its content has. */
interface FileRow {
  readonly id: string;
  readonly documentId: string;
  readonly mime: string;
}

/** The groups of `allowedTypes` beside `files`, which is everything else. */
const GROUPS: Readonly<Record<string, RegExp>> = { images: /^image\//, videos: /^video\//, audios: /^audio\// };

/**
 * Checks that the files which a body puts into media attributes are of allowed types; one statement, and none where
 * no attribute is limited. Links to missing files are found elsewhere.
 *
 * @throws PLINTH_INPUT_INVALID (400), every attribute at once
 * @source plugins/content-api/WIRE.md#media-attributes
 */
export async function checkFileTypes(
  { db, layout }: Pick<WriteScope, "db" | "layout">,
  type: Shape,
  input: WriteInput,
): Promise<void> {
  const { contentTypes, fileType = "" } = layout.model;
  const { table, mimeColumn } = contentTypes.get(fileType) ?? {};
  const choices = [...choicesOf(layout, type, input, [])];
  if (table === undefined || mimeColumn === undefined || choices.length === 0) return;
  const named = choices.flatMap(({ targets }) => targets);
  const files = await db.query<FileRow>({
    text: findFilesSql(table, mimeColumn),
    values: [
      named.flatMap((target) => ("documentId" in target ? [target.documentId] : [])),
      named.flatMap((target) => ("id" in target && target.id > 0 ? [target.id] : [])),
    ],
    isPlan: true,
  });
  assertNoProblems(choices.flatMap((choice) => problemsOf(choice, files)));
}

function* choicesOf(
  layout: Layout,
  shape: Shape,
  input: WriteInput | ComponentInput,
  path: readonly string[],
): Iterable<Choice> {
  for (const [name, change] of input.relations) {
    const attribute = shape.attributes.get(name) as RelationAttribute;
    const targets = addedBy(change);
    if (attribute.kind === "media" && attribute.allowedTypes.length > 0 && targets.length > 0) {
      yield { attribute, path: [...path, name], targets };
    }
  }
  for (const [name, value] of input.components) {
    const items = value === null ? [] : ([value].flat() as readonly ComponentInput[]);
    for (const [index, item] of items.entries()) {
      const component = layout.model.components.get(item.component);
      const itemPath = Array.isArray(value) ? [...path, name, String(index)] : [...path, name];
      if (component) yield* choicesOf(layout, component, item, itemPath);
    }
  }
}

function addedBy(change: RelationChange): readonly RelationTarget[] {
  return "set" in change ? change.set : change.connect.map(({ target }) => target);
}

function problemsOf({ attribute, path, targets }: Choice, files: readonly FileRow[]): readonly ValueProblem[] {
  const { allowedTypes } = attribute;
  return targets.flatMap((target) => {
    const file = files.find((row) =>
      "id" in target ? row.id === String(target.id) : row.documentId === target.documentId,
    );
    if (!file || allowedTypes.includes(groupOf(file.mime))) return [];
    const named = "id" in target ? target.id : target.documentId;
    return [
      problemAt(path, `takes ${allowedTypes.join(", ")}, and the file ${named} is of the type ${file.mime}`, named),
    ];
  });
}

function groupOf(mime: string): string {
  return Object.keys(GROUPS).find((group) => GROUPS[group]?.test(mime)) ?? "files";
}
