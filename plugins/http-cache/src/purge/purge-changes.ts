import { setTimeout as wait } from "node:timers/promises";
import type { App } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import type { Consumer, Event } from "@plinth/plugin-events";
import type { PurgeConfig } from "../config.js";
import { tagOfDocument, tagOfType } from "../tags.js";
import { RIGHTS_CHANGED } from "./public-rights.js";
import { sendPurge } from "./send-purge.js";

/** Milliseconds in which changes are gathered. */
const GATHERED = 1_000;
/** Milliseconds of an answer beside its statement: it waits for a connection, and is on its way to the cache. */
const BESIDE = 5_000;
/**
 * Milliseconds of a statement beyond which it is not waited for, although config/database lets it run on: a consumer that is
 * always a minute behind is a reason for an alert.
 */
const MOST_READ = 30_000;
/** Changes that are one purge: as many as a consumer gets at once. */
const BATCH = 1_000;
/** Documents with a tag of their own in a purge; of an import the types are enough, which every answer names. */
const MOST_DOCUMENTS = 100;
/** Changes of a document with drafts that only readers of drafts see. */
const OF_DRAFTS = /\.(?:create|update|draft-discard)$/;

/**
 * Tells the cache what to forget after every change of content from now on, once for all processes: at once, and again when
 * reads have ended that saw what was before. Their answers may come to the cache after the first purge.
 */
export async function purgeChanges(app: App, config: PurgeConfig): Promise<void> {
  const consumers = [
    purgeAfter(GATHERED, { name: "http-cache", app, config }),
    purgeAfter(longestRead(app), { name: "http-cache-again", app, config }),
  ];
  await Promise.all(consumers.map(({ ready }) => ready));
}

/** Milliseconds within which an answer that is being read is in the cache. */
function longestRead({ config }: App): number {
  const limit = config.get<number>("database.statementTimeout", 10_000);
  return Math.min(limit === 0 ? MOST_READ : limit, MOST_READ) + BESIDE;
}

interface Purging {
  /** Of the consumer: its place is kept, so that what a process leaves undone is done by another. */
  readonly name: string;
  readonly app: App;
  readonly config: PurgeConfig;
}

function purgeAfter(pause: number, { name, app, config }: Purging): Consumer {
  const options = {
    batch: BATCH,
    // Of very many changes several batches wait at the same time.
    ordered: false,
    // What has changed meanwhile is not known any more.
    onGap: () => sendPurge(config, tagsOfTypes(app, app.model.contentTypes.keys())),
  };
  return app.service("plugin::events.events").consume(name, options, async (changes, { signal }) => {
    const tags = await tagsOf(app, changes);
    if (tags.length === 0) return;
    await wait(pause, undefined, { signal });
    await sendPurge(config, tags, signal);
  });
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
