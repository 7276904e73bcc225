import { type App, type Document, transformOutput } from "@plinth/core";
import { isEmpty, isSame } from "./equal.js";
import type { KeptDocument } from "./kept-versions.js";
import type { Sight } from "./sight.js";

type Data = Readonly<Record<string, unknown>>;

/** Makes of what a version holds what clients are shown of it. */
export type Output = (data: Data) => Promise<Data>;

/**
 * What clients of the content API see passes the hooks on output. A hook decides by the values that it is given, and those of a
 * version are not today's: so what the hooks keep back of the document today is kept back of every version.
 *
 * @param today - what the document holds now, and where it was deleted what it held last; undefined where that is not kept.
 */
export async function outputOf(
  app: App,
  sight: Sight,
  document: Pick<KeptDocument, "documentId" | "locale">,
  today: Data | undefined,
): Promise<Output> {
  const { uid } = sight.type;
  const hook = transformOutput(uid as string);
  if (sight.visibility !== "public" || !app.hooks.has(hook, uid)) return async (data) => data;
  const { documentId, locale } = document;
  const pass: Output = async (data) => {
    const given: Document = { id: 0, documentId, locale, ...data };
    const {
      id: _id,
      documentId: _documentId,
      locale: _locale,
      ...shown
    } = await app.hooks.waterfall(hook, given, { uid });
    return shown;
  };
  if (!today) return pass;
  const keeps = keptBack(today, await pass(today));
  return async (data) => {
    const entries = Object.entries(await pass(data));
    return Object.fromEntries(entries.filter(([name, value]) => !keeps(name, isSame(value, data[name]))));
  };
}

/**
 * What hooks took away today stays away; what they replaced is shown where they replace it in a version as well, so that a
 * text which is masked today is not shown as it was.
 */
function keptBack(today: Data, shown: Data): (name: string, isAsStored: boolean) => boolean {
  const names = Object.keys(today);
  const taken = new Set(names.filter((name) => !(name in shown) || (isEmpty(shown[name]) && !isEmpty(today[name]))));
  const replaced = new Set(names.filter((name) => !isEmpty(today[name]) && !isSame(today[name], shown[name])));
  return (name, isAsStored) => taken.has(name) || (isAsStored && replaced.has(name));
}
