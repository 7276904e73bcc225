import { setTimeout as wait } from "node:timers/promises";
import type { App } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import type { Event } from "@plinth/plugin-events";
import type { PurgeConfig } from "../config.js";
import { tagOfDocument, tagOfType } from "../tags.js";
import { RIGHTS_CHANGED } from "./public-rights.js";
import { sendPurge } from "./send-purge.js";

/**
 * Milliseconds in which changes are gathered. What read the database just before a change is in the cache by then, and is
 * forgotten as well.
 */
const GATHERED = 1_000;
/** Changes that are one purge: as many as a consumer gets at once. */
const BATCH = 1_000;
/** Documents with a tag of their own in a purge; of an import the types are enough, which every answer names. */
const MOST_DOCUMENTS = 100;
/** Changes of a document with drafts that only readers of drafts see. */
const OF_DRAFTS = /\.(?:create|update|draft-discard)$/;

/** Tells the cache what to forget after every change of content from now on, once for all processes. */
export async function purgeChanges(app: App, config: PurgeConfig): Promise<void> {
  const consumer = app.service("plugin::events.events").consume(
    "http-cache",
    {
      batch: BATCH,
      // What has changed meanwhile is not known any more.
      onGap: () => sendPurge(config, tagsOfTypes(app, app.model.contentTypes.keys())),
    },
    async (changes, context) => {
      const tags = await tagsOf(app, changes);
      if (tags.length === 0) return;
      await wait(GATHERED, undefined, { signal: context.signal });
      await sendPurge(config, tags, context.signal);
    },
  );
  await consumer.ready;
}

/** What is in a cache may be of any type where the public may read something else. */
const isOfAll = ({ type }: Event): boolean => type === RIGHTS_CHANGED;

/** Events come when all replicas have them: who fetches an answer again gets the new one. */
async function tagsOf(app: App, changes: readonly Event[]): Promise<readonly string[]> {
  if (changes.some(isOfAll)) return tagsOfTypes(app, app.model.contentTypes.keys());
  const { ability } = await app.auth.authenticate(undefined);
  const shown = changes.filter(({ uid, type }) => {
    const contentType = uid === null ? undefined : app.model.contentTypes.get(uid);
    if (!contentType) return false;
    const isOfDraft = contentType.hasDrafts && OF_DRAFTS.test(type);
    return !isOfDraft || reachOfDrafts(app.model, ability, contentType).rows !== "nothing";
  });
  const documents = new Set(shown.flatMap(({ documentId }) => documentId ?? []));
  const types = tagsOfTypes(app, new Set(shown.flatMap(({ uid }) => uid ?? [])));
  return documents.size > MOST_DOCUMENTS ? types : [...types, ...[...documents].map(tagOfDocument)];
}

const tagsOfTypes = ({ model }: App, uids: Iterable<string>): readonly string[] =>
  [...uids].map((uid) => tagOfType(model, uid));
