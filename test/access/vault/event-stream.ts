import { events } from "@plinth/plugin-events";
import { eventually } from "../../core/database/driver/note-app.js";
import { type OpenedEvents, openEvents } from "../../plugins/live/open-events.js";
import type { Surface } from "./surface.js";
import { ADMIN, PLANNER, READER, type Vault, VISITOR } from "./vault-app.js";

const NOTE = "api::note.note";

/** Of all events, and of some. */
const STREAMS: readonly string[] = [
  "",
  "&types=entry.publish,entry.unpublish,entry.delete",
  "&uids=api::note.note",
  "&uids=api::person.person",
  "&uids=api::dossier.dossier",
];

/** Where callers were when the vault was filled, by bearer. */
const places = new WeakMap<Vault, ReadonlyMap<string, string>>();

async function listen({ url }: Vault, token: string, query = ""): Promise<OpenedEvents> {
  const headers = { authorization: `Bearer ${token}` };
  return await openEvents(`${url}/api/events/stream?${query}`, { headers });
}

async function placeOf(vault: Vault, token: string): Promise<string> {
  const stream = await listen(vault, token);
  return await eventually(async () => {
    const [, id] = /^id: (.*)\n/m.exec(stream.text()) ?? [];
    if (id === undefined) throw new TypeError(`the stream says no place: ${stream.text()}`);
    stream.close();
    return id;
  });
}

let fences = 0;

/** The events since then, which have all come when one has that everybody may see and that is no write. */
async function eventsSince(vault: Vault, token: string, query: string): Promise<readonly object[]> {
  fences += 1;
  const fence = `vault.fence-${fences}`;
  const { documentId } = vault.kept.shownNote;
  await vault.plinth.app.service(events).publish(fence, { uid: NOTE, documentId });
  const wanted = query.replace("types=", "types=vault.*,").replace("uids=", `uids=${NOTE},`);
  const stream = await listen(vault, token, `lastEventId=${places.get(vault)?.get(token)}${wanted}`);
  const told: { readonly type: string; readonly documentId: string }[] = [];
  for (;;) {
    const { at: _, ...event } = JSON.parse((await stream.next()).data);
    if (event.type === fence) break;
    if (!event.type.startsWith("vault.")) told.push(event);
  }
  stream.close();
  return told;
}

/** What a client is told that comes back: which events there were, and how many. */
export const eventStream: Surface = {
  name: "events",
  async prepare(vault, isChanged) {
    if (isChanged) return;
    const found = new Map<string, string>();
    for (const token of [VISITOR, PLANNER, READER, ADMIN]) found.set(token, await placeOf(vault, token));
    places.set(vault, found);
  },
  async ask(vault, token) {
    const { shownNote, shownPerson } = vault.kept;
    // Who sees a document sees when it was written, whatever of it was; in the world of the reader none of these is.
    const isSeen = ({ documentId }: { readonly documentId?: string }) =>
      token !== READER && [shownNote, shownPerson].some((seen) => seen.documentId === documentId);
    const answers = new Map<string, unknown>();
    for (const query of STREAMS)
      answers.set(
        query,
        (await eventsSince(vault, token, query)).filter((event) => !isSeen(event)),
      );
    return answers;
  },
};
