import { type App, type Document, NotFoundError, transformOutput } from "@plinth/core";
import { hasNul } from "@plinth/core/schema";
import type { Difference, Version, VersionedDocument, VersionInfo, Viewer } from "../contract.js";
import type { KeptType } from "../kept-types.js";
import { differing } from "./equal.js";
import { type Content, type KeptDocument, readKept } from "./kept-versions.js";
import { readTargets, type SeenTargets } from "./seen-targets.js";
import { assertSeen, type Sight, sightOf } from "./sight.js";
import { type Change, followVersions } from "./timeline.js";
import { type View, viewOf } from "./view.js";

/** The versions of one document as one viewer sees them. */
export class OpenHistory {
  readonly #shown: Shown;
  /** Those that the viewer sees, oldest first. */
  readonly #changes: readonly Change[];

  private constructor(shown: Shown, changes: readonly Change[]) {
    this.#shown = shown;
    this.#changes = changes;
  }

  get sight(): Sight {
    return this.#shown.sight;
  }

  get document(): KeptDocument {
    return this.#shown.document;
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404), PLINTH_ACCESS_FORBIDDEN (403) */
  static async read(app: App, kept: KeptType, asked: VersionedDocument, viewer: Viewer): Promise<OpenHistory> {
    const { type } = kept;
    const sight = sightOf(type, viewer);
    const locale = type.isLocalized ? (asked.locale ?? app.model.defaultLocale) : "";
    if (hasNul(asked.documentId) || hasNul(locale)) throw new NotFoundError({});
    const document = await readKept(app, kept, { documentId: asked.documentId, locale });
    await assertSeen(app, sight, document);
    const { now, versions } = document;
    const contents = [...versions.map(({ content }) => content), ...(now ? [now] : [])];
    const shown = { app, sight, document, ...(await readTargets(app, sight, contents, locale)) };
    const compared = await Promise.all(
      versions.map(async (version) => ({ version, data: (await show(shown, version.content, false)).data })),
    );
    const changes = followVersions(compared, type.hasDrafts);
    return new OpenHistory(shown, sight.isTrusted ? changes : changes.filter(({ isSeen }) => isSeen));
  }

  /** Newest first. */
  list(): readonly VersionInfo[] {
    return this.#changes.map((change) => this.#infoOf(change)).reverse();
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) */
  async version(id: string): Promise<Version> {
    const change = this.#find(id);
    const { data, problems } = await show(this.#shown, change.version.content, true);
    return { ...this.#infoOf(change), data, problems };
  }

  /** @param to - `now`: the document as it is. @throws PLINTH_HTTP_NOT_FOUND (404) */
  async compare(from: string, to: string): Promise<readonly Difference[]> {
    const [a, b] = [await this.contents(from), await this.contents(to)];
    return differing(a.compared, b.compared).map((attribute) => ({
      attribute,
      from: a.view.data[attribute],
      to: b.view.data[attribute],
    }));
  }

  /** What a version holds. @param id - or `now`. @throws PLINTH_HTTP_NOT_FOUND (404) */
  async contents(id: string): Promise<Contents> {
    const content = id === NOW ? this.document.now : this.#find(id).version.content;
    if (!content) throw new NotFoundError({});
    const compared = (await show(this.#shown, content, false)).data;
    return {
      content,
      view: await show(this.#shown, content, true),
      compared,
      stored: storedView(this.#shown, content),
    };
  }

  #find(id: string): Change {
    const found = this.#changes.find(({ version }) => version.key === id);
    if (!found) throw new NotFoundError({});
    return found;
  }

  #infoOf({ version, changed }: Change): VersionInfo {
    const { key: id, at, action, status, restoredFrom, origin } = version;
    const { documentId, locale } = this.document;
    const info = { id, documentId, locale, at: at.toISOString(), action, status, changed, restoredFrom };
    return this.sight.visibility === "public" ? info : { ...info, origin };
  }
}

/** Stands for the document as it is. */
export const NOW = "now";

/** What a version holds, in several forms. */
interface Contents {
  readonly content: Content;
  readonly view: View;
  /** The view without ids. */
  readonly compared: View["data"];
  /** The view as it is stored: what hooks on output make of it is for reading. */
  readonly stored: View["data"];
}

/** What views of a document's versions are made with. */
interface Shown {
  readonly app: App;
  readonly sight: Sight;
  readonly document: KeptDocument;
  readonly isSeen: SeenTargets;
  readonly isGone: SeenTargets;
}

const storedView = ({ app, sight, isSeen, isGone }: Shown, content: Content): View["data"] =>
  viewOf({ model: app.model, sight, isSeen, isGone, hasIds: true }, content).data;

/** What clients of the content API see passes the hooks on output, which may take things away. */
async function show({ app, sight, document, isSeen, isGone }: Shown, content: Content, hasIds: boolean): Promise<View> {
  const view = viewOf({ model: app.model, sight, isSeen, isGone, hasIds }, content);
  const { uid } = sight.type;
  const hook = transformOutput(uid as string);
  if (sight.visibility !== "public" || !app.hooks.has(hook, uid)) return view;
  const { documentId, locale } = document;
  const given: Document = { id: 0, documentId, locale, ...view.data };
  const {
    id: _id,
    documentId: _documentId,
    locale: _locale,
    ...data
  } = await app.hooks.waterfall(hook, given, { uid });
  return { ...view, data };
}
