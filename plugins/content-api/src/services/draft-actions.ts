import { NotFoundError, type Status } from "@plinth/core";
import { DRAFT_ACTIONS } from "@plinth/core/access";
import { parseAnswerParams, type PreparedRead } from "@plinth/core/reads";
import type { Caller, DraftAction, FoundList, FoundOne, FoundVersions, Params } from "../contract.js";
import { assertNoConditions, localeOf, readOne, type ServiceTools } from "./entries.js";

/** A draft action on one document. */
export interface DraftWork {
  readonly action: DraftAction;
  readonly documentId: string;
}

/** Something for each draft action: `{ publish, unpublish, discardDraft }`. */
export function forDraftActions<Made>(make: (action: DraftAction) => Made): Record<DraftAction, Made> {
  return Object.fromEntries(DRAFT_ACTIONS.map((action) => [action, make(action)])) as Record<DraftAction, Made>;
}

/** Which version an action leads to, and shows. */
const SHOWN: Readonly<Record<DraftAction, Status>> = {
  publish: "published",
  unpublish: "draft",
  discardDraft: "draft",
};

/**
 * Publishes, unpublishes or discards the draft of a document in the locales of `locale`: one (by default the default
 * one), a list, or `*`.
 *
 * @returns what is there afterwards.
 * @throws PLINTH_HTTP_NOT_FOUND (404) where there is nothing to show to the caller; then nothing has happened
 * @throws PLINTH_QUERY_*, PLINTH_INPUT_*, PLINTH_DOCUMENT_* (400), PLINTH_DOCUMENT_VERSION_MISMATCH (412)
 */
export async function runDraftAction(
  tools: ServiceTools,
  { action, documentId }: DraftWork,
  params: Params,
  caller: Caller,
): Promise<FoundVersions> {
  const { app, type } = tools;
  assertNoConditions(params);
  const several = severalLocales(tools, params);
  const shown = { ...params, status: SHOWN[action], fallbackLocale: [] };
  const reads = (several ?? [params["locale"]]).map((locale) =>
    prepareShown(tools, { ...shown, locale }, caller, documentId),
  );
  const { ability, ifVersion, unlessVersion } = caller;
  const locale = several === undefined ? localeOf(tools, params) : { locale: params["locale"] as string | string[] };
  const found = await app.db.transaction(async () => {
    await app.documents(type.uid)[action]({ documentId, ability, ifVersion, unlessVersion, ...locale });
    const entries: FoundOne[] = [];
    for (const read of reads) entries.push(...[(await readOne(tools, read)) ?? []].flat());
    if (entries.length === 0) throw new NotFoundError({});
    return entries;
  });
  return several === undefined ? (found[0] as FoundOne) : joinVersions(found);
}

/** One list of all that was found. */
export function joinVersions(found: readonly FoundVersions[]): FoundList {
  const texts = found.map((each) => ("rows" in each ? each.text.trim().slice(1, -1) : each.text));
  return {
    text: `[${texts.filter((text) => text !== "").join(",")}]`,
    rows: () => found.flatMap((each) => ("rows" in each ? each.rows() : [each.row()])),
  };
}

/** The locales of a list or of `*`; undefined where one is meant. */
function severalLocales({ app, type }: ServiceTools, { locale }: Params): readonly unknown[] | undefined {
  if (!type.isLocalized) return undefined;
  if (locale === "*") return app.model.locales;
  return Array.isArray(locale) ? (locale as readonly unknown[]) : undefined;
}

/** A read of what an action shows. */
function prepareShown(
  { app, type }: ServiceTools,
  params: Params,
  { visibility, ability }: Caller,
  documentId: string,
): PreparedRead {
  const caller = { visibility, ability, budget: app.readBudget } as const;
  const options = { ...caller, kind: "written", defaultStatus: "published", documentId } as const;
  return parseAnswerParams(app.model, type, params, options);
}
