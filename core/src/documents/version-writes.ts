import type { VersionParams, VersionsResult } from "./documents.js";
import { NoDraftsError } from "./errors.js";
import { checkVersion } from "./write/check-version.js";
import { copyVersion } from "./write/copy-version.js";
import { assertPublishable } from "./write/assert-publishable.js";
import { removeVersions } from "./write/remove-versions.js";
import type { WriteAction } from "./write/row-rules.js";
import { runWrite } from "./write/run-write.js";
import type { Version } from "../database/writes/version.js";
import { versionLocales } from "./write/write-locales.js";
import type { WriteScope } from "./write/write-scope.js";
import { lockVersions, openScope, type WriteParts } from "./write-parts.js";

type Kind = Exclude<WriteAction, "create" | "update">;

/** What an operation did: the rows that it wrote, and what it returns. */
interface Done {
  readonly written: readonly Version[];
  readonly entries: VersionsResult["entries"];
}

/** One run of an operation: what it found, and what it works with. */
interface Run {
  readonly scope: WriteScope;
  /** The rows that the operation is about. */
  readonly chosen: readonly Version[];
  /** All rows of the document. */
  readonly versions: readonly Version[];
}

/** Publishing, unpublishing, discarding drafts and deleting, in one, several or all locales of a document. */
export class VersionWrites {
  constructor(private readonly parts: WriteParts) {}

  /** Deletes draft and published row; what does not exist gives no entries. */
  delete(params: VersionParams): Promise<VersionsResult> {
    return this.#run(
      "delete",
      params,
      () => true,
      async (run) => {
        const entries = await this.parts.reads.entries(params, run.chosen);
        await removeVersions(run.scope, this.parts.plan, run.chosen, run.versions);
        return { written: [], entries };
      },
    );
  }

  /** @throws PLINTH_INPUT_INVALID, PLINTH_DOCUMENT_NOT_UNIQUE (400) with the problems of all locales */
  publish(params: VersionParams): Promise<VersionsResult> {
    return this.#run(
      "publish",
      params,
      ({ isDraft }) => isDraft,
      async ({ scope, chosen, versions }) => {
        const published: Version[] = [];
        const { plan, reads } = this.parts;
        assertPublishable(scope, plan, chosen);
        // All of them now: where a value is taken, the answer names the conflicts of every locale.
        scope.attempts.push(...chosen.map((draft) => ({ plan, ...draft, generated: scope.generated })));
        for (const draft of chosen) published.push(await copyVersion(scope, plan, draft, [...versions, ...published]));
        return { written: published, entries: await reads.entries(params, published) };
      },
    );
  }

  /** Deletes published rows and returns the drafts; a draft that is missing is made first. */
  unpublish(params: VersionParams): Promise<VersionsResult> {
    return this.#run(
      "unpublish",
      params,
      ({ isDraft }) => !isDraft,
      async ({ scope, chosen, versions }) => {
        const { plan, reads } = this.parts;
        const drafts: Version[] = [];
        for (const row of chosen) {
          const draft = versions.find(({ isDraft, locale }) => isDraft && locale === row.locale);
          drafts.push(draft ?? (await copyVersion(scope, plan, row, versions)));
        }
        await removeVersions(scope, plan, chosen, [...versions, ...drafts]);
        return { written: drafts, entries: await reads.entries(params, drafts) };
      },
    );
  }

  /** Makes drafts equal to their published rows; a document without published row keeps its draft. */
  discardDraft(params: VersionParams): Promise<VersionsResult> {
    return this.#run(
      "discardDraft",
      params,
      ({ isDraft }) => !isDraft,
      async ({ scope, chosen, versions }) => {
        const drafts: Version[] = [];
        for (const row of chosen) drafts.push(await copyVersion(scope, this.parts.plan, row, versions));
        return { written: drafts, entries: await this.parts.reads.entries(params, drafts) };
      },
    );
  }

  /** Finds and locks the document, and runs the work between the hooks of the operation. */
  async #run(
    kind: Kind,
    params: VersionParams,
    isMeant: (version: Version) => boolean,
    work: (run: Run) => Promise<Done>,
  ): Promise<VersionsResult> {
    const { layout, listeners, plan, reads, runner } = this.parts;
    const { type } = plan;
    // JavaScript may name no document; there is none of an empty id.
    const { documentId = "", ability } = params;
    if (kind !== "delete" && !type.hasDrafts) throw new NoDraftsError({ uid: type.uid, operation: kind });
    const { fields, populate, selection } = params;
    reads.answerTo(
      { fields, populate, ...(selection ? { selection } : {}), ...(ability ? { ability } : {}) },
      documentId,
    );
    const locales = versionLocales(layout.model, type, params.locale);
    return await runWrite(runner, type.uid, async (attempts) => {
      const versions = await lockVersions(this.parts, documentId, kind === "delete" ? "lockToRemove" : "lock");
      const scope = openScope(this.parts, { attempts, versions, ability });
      const inLocales = versions.filter((version) => locales?.has(version.locale) ?? true);
      const reached = await localesReached(scope, type.uid, kind, inLocales);
      const inReach = inLocales.filter(({ locale }) => reached.has(locale));
      checkVersion(params, inReach, scope.rules.readsDrafts(type));
      const chosen = inReach.filter(isMeant);
      if (chosen.length === 0) return { documentId, entries: [] };
      const event = { uid: type.uid, documentId, locales: [...new Set(chosen.map(({ locale }) => locale))] };
      await listeners.before(kind, event);
      const { written, entries } = await work({ scope, chosen, versions });
      await scope.rules.assertReached(
        type.uid,
        [kind],
        written.map(({ id }) => id),
      );
      await listeners.after(kind, { ...event, documents: entries });
      return { documentId, entries };
    });
  }
}

/** The locales of which every row is reached: a locale's draft and published row go together. */
async function localesReached(
  { rules }: WriteScope,
  uid: string,
  action: WriteAction,
  versions: readonly Version[],
): Promise<ReadonlySet<string>> {
  const rows = await rules.reached(
    uid,
    action,
    versions.map(({ id }) => id),
  );
  const outside = new Set(versions.filter(({ id }) => !rows.has(id)).map(({ locale }) => locale));
  return new Set(versions.map(({ locale }) => locale).filter((locale) => !outside.has(locale)));
}
