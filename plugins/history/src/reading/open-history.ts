import { type App, NotFoundError } from "@plinth/core";
import { hasNul } from "@plinth/core/schema";
import type { Difference, Version, VersionedDocument, VersionInfo, Viewer } from "../contract.js";
import type { KeptType } from "../kept-types.js";
import { differing } from "./equal.js";
import {
  type Content,
  type KeptDocument,
  readContent,
  readContents,
  readElsewhere,
  readKept,
} from "./kept-versions.js";
import { type Output, outputOf } from "./output.js";
import { Targets } from "./seen-targets.js";
import { assertSeen, type Sight, sightOf } from "./sight.js";
import { type Change, Timeline } from "./timeline.js";
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
    const sight = sightOf(kept, viewer);
    const locale = type.isLocalized ? (asked.locale ?? app.model.defaultLocale) : "";
    if (hasNul(asked.documentId) || hasNul(locale)) throw new NotFoundError({});
    const document = await readKept(app, kept, { documentId: asked.documentId, locale });
    await assertSeen(app, sight, document);
    const targets = new Targets(app, sight);
    const today = document.now ?? (await lastOf(app, document));
    await targets.lookUp(today ? [today] : []);
    const parts = { app, sight, document, targets };
    const output = await outputOf(app, sight, document, today && viewOfContent(parts, today, false).data);
    const shown = { ...parts, output };
    const changes = await changesOf(shown);
    return new OpenHistory(shown, sight.isTrusted ? changes : changes.filter(({ isSeen }) => isSeen));
  }

  /** Newest first. */
  list(): readonly VersionInfo[] {
    return this.#changes.map((change) => this.#infoOf(change)).reverse();
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) */
  async version(id: string): Promise<Version> {
    const change = this.#find(id);
    const { data, problems } = await show(this.#shown, await this.#contentOf(change), true);
    return { ...this.#infoOf(change), data, problems };
  }

  /** @param to - `now`: the document as it is. @throws PLINTH_HTTP_NOT_FOUND (404) */
  async compare(from: string, to: string): Promise<readonly Difference[]> {
    const [a, b] = [await this.contents(from), await this.contents(to)];
    return differing(this.sight.type, a.compared, b.compared).map((attribute) => ({
      attribute,
      from: a.view.data[attribute],
      to: b.view.data[attribute],
    }));
  }

  /** What a version holds. @param id - or `now`. @throws PLINTH_HTTP_NOT_FOUND (404) */
  async contents(id: string): Promise<Contents> {
    const content = id === NOW ? this.document.now : await this.#contentOf(this.#find(id));
    if (!content) throw new NotFoundError({});
    return await this.#contentsOf(content);
  }

  /**
   * What the document holds in another locale, which is of interest for what all locales share; undefined where it is in no
   * other.
   */
  async elsewhere(): Promise<Contents | undefined> {
    const { app, document, targets } = this.#shown;
    const content = await readElsewhere(app, document);
    if (!content) return undefined;
    await targets.lookUp([content]);
    return await this.#contentsOf(content);
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) where it was deleted meanwhile */
  async #contentOf({ version }: Change): Promise<Content> {
    const content = await readContent(this.#shown.app, this.document, version);
    if (!content) throw new NotFoundError({});
    return content;
  }

  async #contentsOf(content: Content): Promise<Contents> {
    const compared = (await show(this.#shown, content, false)).data;
    return {
      view: await show(this.#shown, content, true),
      compared,
      stored: viewOfContent(this.#shown, content, true).data,
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
export interface Contents {
  readonly view: View;
  /** The view without ids. */
  readonly compared: View["data"];
  /** The view as it is stored: what hooks on output make of it is for reading. */
  readonly stored: View["data"];
}

/** What views of a document's versions are made with. */
interface Parts {
  readonly app: App;
  readonly sight: Sight;
  readonly document: KeptDocument;
  readonly targets: Targets;
}

/** The same, and what clients are shown of them. */
interface Shown extends Parts {
  readonly output: Output;
}

const viewOfContent = ({ app, sight, targets }: Parts, content: Content, hasIds: boolean): View =>
  viewOf({ model: app.model, sight, isSeen: targets.isSeen, isGone: targets.isGone, hasIds }, content);

async function show(shown: Shown, content: Content, hasIds: boolean): Promise<View> {
  const view = viewOfContent(shown, content, hasIds);
  return { ...view, data: await shown.output(view.data) };
}

/** What each write changed of what is seen. Of what is in versions, only some are held at a time. */
async function changesOf(shown: Shown): Promise<readonly Change[]> {
  const { app, document, sight, targets } = shown;
  const timeline = new Timeline(sight.type);
  const changes: Change[] = [];
  for await (const batch of readContents(app, document)) {
    await targets.lookUp(batch.map(({ content }) => content));
    for (const { version, content } of batch)
      changes.push(timeline.next({ version, data: (await show(shown, content, false)).data }));
  }
  return changes;
}

async function lastOf(app: App, document: KeptDocument): Promise<Content | undefined> {
  const version = document.versions.at(-1);
  return version && (await readContent(app, document, version));
}
