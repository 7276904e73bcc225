import type { Ability, App } from "@plinth/core";
import { CODE_BUDGET, hiddenLinks, parseReadParams, reachOfDrafts, shapeOf } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { FileUse } from "../contract.js";

/** Of the places that use a file, those that an ability sees: its documents, their languages and their attributes. */
export async function visibleUses(app: App, uses: readonly FileUse[], ability: Ability): Promise<readonly FileUse[]> {
  const visible: FileUse[] = [];
  for (const group of groupsOf(uses)) {
    const [{ uid, status, locale }] = group;
    if (!ability.can(`${uid}.find`)) continue;
    const type = app.model.contentTypes.get(uid) as ContentType;
    if (status === "draft" && reachOfDrafts(app.model, ability, type).rows === "nothing") continue;
    const filters = { documentId: { $in: group.map(({ documentId }) => documentId) } };
    const params = { filters, fields: "documentId", status, ...(type.isLocalized ? { locale } : {}) };
    const budget = CODE_BUDGET;
    const options = { visibility: "public", budget, ability, kind: "list", defaultStatus: "published" } as const;
    const rows = (await app.documents(uid).read(parseReadParams(app.model, type, params, options))).rows();
    const found = new Set(rows.map(({ documentId }) => documentId));
    const hidden = hiddenLinks(app.model, type, shapeOf(type, ability.reachOf(`${uid}.find`)), false);
    visible.push(...group.filter(({ documentId, field }) => found.has(documentId) && !hidden.includes(field)));
  }
  return visible;
}

/** By content-type, status and language: what one statement can look up. */
function groupsOf(uses: readonly FileUse[]): Iterable<[FileUse, ...FileUse[]]> {
  const groups = new Map<string, [FileUse, ...FileUse[]]>();
  for (const use of uses) {
    const key = `${use.uid} ${use.status} ${use.locale}`;
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  return groups.values();
}
