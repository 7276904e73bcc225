import { t } from "../../messages/text.js";
import type { MatrixAction, MatrixGroup, MatrixRow } from "./action-matrix.js";
import { actionName, TYPE_ACTIONS } from "./frame/action-names.js";

/** What is known of a content-type. */
interface NamedType {
  readonly label: string;
}

const CONTENT = "api::";

/**
 * Lays actions out: those on the content as a table of types, those of plugins and of the app by their owner.
 *
 * @param types - those that the reader may find, by uid; others have their uid as name
 */
export function groupActions(
  actions: readonly string[],
  types: ReadonlyMap<string, NamedType>,
): readonly MatrixGroup[] {
  const rows = new Map<string, MatrixAction[]>();
  for (const action of actions) {
    const end = action.lastIndexOf(".");
    const name = action.slice(end + 1);
    rows.set(action.slice(0, end), [
      ...(rows.get(action.slice(0, end)) ?? []),
      { action, name, label: actionName(name) },
    ]);
  }
  const all = [...rows].map(([id, own]): MatrixRow => {
    const label = types.get(id)?.label ?? shortName(id);
    return { id, label, ...(id.startsWith(CONTENT) ? { hint: id } : {}), actions: own };
  });
  const content = all.filter(({ id }) => id.startsWith(CONTENT)).sort((a, b) => a.label.localeCompare(b.label));
  const others = Map.groupBy(
    all.filter(({ id }) => !id.startsWith(CONTENT)),
    ({ id }) => ownerOf(id),
  );
  return [
    ...(content.length > 0
      ? [{ id: CONTENT, title: t("matrix.content"), columns: columnsOf(content), rows: content }]
      : []),
    ...[...others].map(([owner, own]) => ({ id: owner, title: owner.replace("plugin::", ""), rows: own })),
  ];
}

/** What some type has of the usual actions, and others that several types have, such as those of a plugin, are columns. */
function columnsOf(rows: readonly MatrixRow[]): NonNullable<MatrixGroup["columns"]> {
  const names = rows.flatMap(({ actions }) => actions.map(({ name }) => name));
  const usual = TYPE_ACTIONS.filter((name) => names.includes(name));
  const shared = names.filter((name, index) => names.indexOf(name) !== index && !TYPE_ACTIONS.includes(name));
  return [...usual, ...new Set(shared)].map((name) => ({ name, label: actionName(name) }));
}

/** `plugin::upload` of `plugin::upload.content-api`. */
const ownerOf = (id: string): string => id.split(".")[0] ?? id;

/** `content-api` of `plugin::upload.content-api`, `article` of `api::article.article`. */
const shortName = (id: string): string => id.slice(id.lastIndexOf(".") + 1);
