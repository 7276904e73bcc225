import type { Ability, App } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { factsOf, type StoredFacts } from "../content/facts.js";
import { isOpenType } from "../content/names.js";
import { relatedOf, relatedRequest } from "../content/related.js";
import { modelViews } from "../model/model-views.js";
import type { ChangedDocument } from "../wire/home.js";
import { accountOf } from "../working-copies/working-copies.js";

/** Documents of the answer. */
const MOST = 10;

/** Rows of a type that are looked at: its newest, by the index that every table has. */
const NEWEST = 30;

/** Types that are looked at, in the order of the schema files. */
const MOST_TYPES = 20;

const WEEK = 7 * 24 * 60 * 60 * 1000;

/**
 * `GET /admin/api/home/changed`: what others changed in a week, where no plugin keeps a history. No table has an index on when a
 * row was changed, so of each type its newest documents are looked at, and an old one that was changed is not found.
 */
export async function listChanged(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  accountOf(request);
  const { ability, user } = request.actor;
  const types = app
    .service(modelViews)
    .uids()
    .flatMap((uid) => app.model.contentTypes.get(uid) ?? [])
    .filter((type) => isOpenType(app, ability, type))
    .slice(0, MOST_TYPES);
  const changed: ChangedDocument[] = [];
  for (const type of types) changed.push(...(await changedOf(app, ability, type, user?.id)));
  const data = changed.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST);
  return { status: 200, body: { data } };
}

async function changedOf(app: App, ability: Ability, type: ContentType, ownId: number | undefined) {
  const since = app.clock.now() - WEEK;
  const { fields, ...request } = relatedRequest(app.model, type);
  const params = {
    ...(type.isLocalized ? { locale: "*" } : {}),
    ...{ sort: "id:desc", pagination: { limit: NEWEST, withCount: false }, fallbackLocale: [] },
  };
  const prepared = parseReadParams(app.model, type, params, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", ability, asStored: true },
    ...{ selection: { ...request, fields: [...fields, { name: "updatedAt" }] }, facts: ["state", "updatedBy"] },
  });
  const rows = (await app.documents(type.uid).read(prepared)).rows();
  return rows.flatMap((row): readonly ChangedDocument[] => {
    const by = factsOf(row["_facts"] as StoredFacts).updatedBy;
    const at = String(row["updatedAt"]);
    const isOthers = by?.id !== ownId && Date.parse(at) >= since;
    return isOthers ? [{ ...relatedOf(row), at, by }] : [];
  });
}
