import { apiTokens } from "@plinth/plugin-api-tokens";
import { audit } from "@plinth/plugin-audit";
import { releases, schedules } from "@plinth/plugin-schedule";
import { type OpenedEvents, openEvents } from "../../plugins/live/open-events.js";
import { eventStream } from "./event-stream.js";
import type { Surface } from "./surface.js";
import { ABSENT, ADMIN, type Vault } from "./vault-app.js";

const NOTE = "api::note.note";
const LATER = "2035-01-01T00:00:00Z";

const asking = (vault: Vault, token: string) => {
  const answers = new Map<string, unknown>();
  const ask = async (path: string, method = "GET", data?: object) => {
    const answer = await vault.ask(method, path, data, token);
    answers.set(`${method} ${path}`, answer);
    return answer;
  };
  return { answers, ask };
};

const idsOf = ({ kept }: Vault): readonly string[] =>
  [kept.shownNote, kept.hiddenNote, ABSENT].map(({ documentId }) => documentId);

/** The lists of versions, and each version, compared with every other. */
const history: Surface = {
  name: "history",
  async ask(vault, token) {
    const { answers, ask } = asking(vault, token);
    for (const documentId of idsOf(vault))
      for (const locale of ["", "locale=fr"]) {
        const path = `/api/notes/${documentId}/history`;
        const { body } = await ask(`${path}?${locale}`);
        const ids: readonly string[] = (body.data ?? []).map(({ id }: { id: string }) => id);
        for (const id of ids) {
          await ask(`${path}/${id}?${locale}`);
          for (const to of ["now", ...ids]) await ask(`${path}/${id}/compare?${locale}&to=${to}`);
        }
      }
    return answers;
  },
};

/** Without the times of writing, which everybody sees. */
const READS: readonly string[] = [
  "/api/notes?fields=title",
  "/api/notes?fields=title&status=draft&locale=*&sort=id",
  "/api/notes?fields=title&pagination[limit]=1&sort=owner.name:desc",
  "/api/notes?fields=title&filters[people][name][$gt]=M",
  "/api/notes?fields=title&filters[owner][$null]=true",
  "/api/notes?fields=title&populate[owner][fields]=name&populate[people][fields]=name&populate[dossier][fields]=name",
  "/api/notes?fields=title&populate[people][count]=true",
  "/api/notes?fields=title&populate[detail][populate][person][fields]=name",
  "/api/persons?fields=name&populate[notes][fields]=title&populate[mentions][count]=true",
];

const SUBSCRIPTIONS: readonly string[] = [
  "subscription { notes { title owner { name } people { name } } }",
  'subscription { notes(sort: "owner.name:desc", pagination: { limit: 1 }) { title } }',
  "subscription { persons { name notes { title } } }",
];

type Opened = readonly [question: string, stream: OpenedEvents];

/** Reads that stay open, over REST and GraphQL. */
async function openReads({ url, kept }: Vault, token: string): Promise<readonly Opened[]> {
  const headers = { authorization: `Bearer ${token}` };
  const ones = [kept.shownNote, kept.hiddenNote].map(({ documentId }) => `/api/notes/${documentId}?fields=title`);
  const opened: Opened[] = [];
  for (const path of [...READS, ...ones]) opened.push([path, await openEvents(`${url}${path}`, { headers })]);
  for (const query of SUBSCRIPTIONS)
    opened.push([query, await openEvents(`${url}/graphql`, { method: "POST", headers, body: { query } })]);
  for (const [, stream] of opened) if (stream.status === 200) await stream.next();
  return opened;
}

const wordsOf = ({ events }: OpenedEvents): readonly string[] =>
  events.map(({ event, id, data }) => `${event} ${id ?? ""} ${data}`);

const live: Surface = {
  name: "live",
  async ask(vault, token) {
    const opened = await openReads(vault, token);
    for (const [, stream] of opened) stream.close();
    const refused = opened.find(([, { status }]) => token === ADMIN && status !== 200);
    if (refused) throw new TypeError(`${refused[0]} was answered ${refused[1].status}`);
    return new Map(opened.map(([question, stream]) => [question, [stream.status, ...wordsOf(stream)]]));
  },
  async watch(vault, token) {
    const opened = await openReads(vault, token);
    return new Map(
      opened.map(([question, stream]) => [
        question,
        {
          get heard() {
            return wordsOf(stream);
          },
          close: () => stream.close(),
        },
      ]),
    );
  },
};

/** Schedules of documents, and releases that hold what is shown, what is hidden, or both. */
const plans: Surface = {
  name: "schedules and releases",
  async prepare({ plinth: { app }, kept }, isChanged) {
    const { shownNote, hiddenNote } = kept;
    const at = (hours: number) => new Date(Date.parse(LATER) + hours * 3_600_000);
    const plan = ({ documentId }: typeof shownNote, hours: number) =>
      app.service(schedules).plan({ type: NOTE, documentId }, { unpublishAt: at(hours) });
    const release = (name: string, ...notes: readonly (typeof shownNote)[]) =>
      app.service(releases).create({
        name,
        actions: notes.map(({ documentId }) => ({ type: NOTE, documentId, action: "publish" as const })),
      });
    await plan(hiddenNote, isChanged ? 5 : 1);
    await release(isChanged ? "Hidden again" : "Hidden", hiddenNote);
    await release(isChanged ? "Both again" : "Both", hiddenNote, shownNote);
    if (isChanged) return;
    await plan(shownNote, 1);
    await release("Shown", shownNote);
  },
  async ask(vault, token) {
    const { answers, ask } = asking(vault, token);
    for (const documentId of idsOf(vault)) {
      for (const query of ["", "?locale=en", "?locale=fr"])
        await ask(`/api/notes/${documentId}/actions/schedule${query}`);
    }
    for (const query of ["", "?state=open", "?state=done"]) await ask(`/api/schedule/releases${query}`);
    // Ids count what others made; those of hidden ones are as those of none.
    const shown: readonly number[] = (
      (answers.get("GET /api/schedule/releases") as { body: { data?: { id: number }[] } }).body.data ?? []
    ).map(({ id }) => id);
    for (const id of [...shown, 987_654]) {
      await ask(`/api/schedule/releases/${id}`);
      await ask(`/api/schedule/releases/${id}/check`, "POST", {});
    }
    return answers;
  },
};

/** The key of an administrator, by vault: `access.tokens` are none. */
const keys = new WeakMap<Vault, string>();

/** What was done, also with what is hidden: nobody but administrators reads any of it. */
const auditLog: Surface = {
  name: "audit",
  async prepare(vault) {
    const { app } = vault.plinth;
    await app.service(audit).seal();
    if (keys.has(vault)) return;
    const { accessKey } = await app.service(apiTokens).create({ name: "auditor", type: "admin" });
    keys.set(vault, accessKey);
  },
  async ask(vault, token) {
    const { answers, ask } = asking(vault, token === ADMIN ? (keys.get(vault) ?? "") : token);
    for (const path of ["", "/head", "?uid=api::note.note", "?limit=1", "?action=nothing", "?wrong=1"])
      await ask(`/admin/api/audit${path}`);
    for (const id of idsOf(vault)) await ask(`/admin/api/audit?documentId=${id}`);
    for (const path of ["/api/audit", "/api/audits"]) await ask(path);
    return answers;
  },
};

/** All of them. */
export const SURFACES: readonly Surface[] = [history, live, plans, auditLog, eventStream];
