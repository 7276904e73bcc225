import type { Verification } from "@plinth/plugin-audit";
import { expect } from "chai";
import { MessageIds } from "#plugins/webhooks/src/deliveries/message-ids.js";
import type { FaultyReceiver } from "../faulty-receiver.js";
import { NOTE, REFUSED } from "./app.js";
import type { Acknowledged, Series } from "./load.js";

/** The rows of a statement. */
export type Ask = <Row extends object>(text: string) => Promise<readonly Row[]>;

/** What is left to be done: nothing, once everything has had its time. */
const LEFT = `select (select count(*)::int from plinth_jobs where name in ('effect', 'users-permissions:mail', 'schedule:run', 'schedule:release')) as jobs,
  (select count(*)::int from plinth_release where state in ('scheduled', 'running')) as releases,
  (select count(*)::int from plinth_schedule where failed_at is null) as schedules,
  (select count(*)::int from plinth_deliveries where state = 'waiting') as deliveries,
  (select count(*)::int from plinth_events e where (type like 'entry.%' or type like 'shop.%')
    and not exists (select from load_handled h where h.event = e.id)) as events`;

/** Counts what is left to be done, by kind. */
export async function countLeft(ask: Ask): Promise<Readonly<Record<string, number>>> {
  return (await ask<Record<string, number>>(LEFT))[0] ?? {};
}

const TORN = `select r.id from plinth_release r join plinth_release_action a on a.release = r.id
  left join load_publications p on p.document_id = a.document_id
  where r.transaction group by r.id having count(p.document_id) not in (0, count(*))`;

/** Releases of which a part is published and another is not, in one snapshot. */
export const findTorn = (ask: Ask): Promise<readonly object[]> => ask(TORN);

interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly uid: string | null;
  readonly document: string | null;
  readonly text: string | null;
}

const EVENTS = `select id::text, type, uid, document_id as document, coalesce(data->>'key', entries->0->>'text') as text from plinth_events
  where type like 'entry.%' or type like 'shop.%' order by plinth_events.id`;

/** What documents have, and what their last events say: where several write to one, which of them was the last. */
const LAST = `select n.document_id as document, n.text, last.text as event from notes n left join lateral (select entries->0->>'text' as text
    from plinth_events e where e.document_id = n.document_id order by e.id desc limit 1) last on true
  where last.text is distinct from n.text`;

/** Every acknowledged write has its event, in the order in which its document was written. @returns the events */
async function checkEvents(ask: Ask, { writes }: Acknowledged): Promise<readonly StoredEvent[]> {
  const events = await ask<StoredEvent>(EVENTS);
  const places = new Map(events.map(({ document, text, uid }, place) => [`${uid} ${document} ${text}`, place]));
  const [missing, disordered]: string[][] = [[], []];
  for (const { document, texts } of writes) {
    let last = -1;
    for (const text of texts) {
      const place = places.get(`${NOTE} ${document} ${text}`);
      if (place === undefined) missing?.push(`${document} ${text}`);
      else if (place < last) disordered?.push(`${document} ${text}`);
      last = Math.max(last, place ?? -1);
    }
  }
  expect({ missing, disordered }, "acknowledged writes").to.deep.equal({ missing: [], disordered: [] });
  expect(await ask(LAST), "documents that are not as their last events say").to.deep.equal([]);
  return events;
}

/** Receiver and consumer got all events, those of each document in their order. @returns how often one came again */
async function checkDelivered(ask: Ask, events: readonly StoredEvent[], { accepted }: FaultyReceiver) {
  const documents = new Map(events.map(({ id, document }) => [id, document]));
  const seen = new Set<number>();
  const latest = new Map<string, number>();
  const disordered: number[] = [];
  const [secret] = await ask<{ key: string }>("select key from plinth_webhook_key");
  const ids = new MessageIds(secret?.key ?? "");
  for (const { id: name } of accepted) {
    const id = ids.eventOf(name) ?? 0;
    if (seen.has(id)) continue;
    seen.add(id);
    const document = documents.get(String(id));
    if (!document) continue;
    if (id < (latest.get(document) ?? 0)) disordered.push(id);
    latest.set(document, Math.max(id, latest.get(document) ?? 0));
  }
  const undelivered = events.filter(({ id }) => !seen.has(Number(id)));
  expect({ undelivered, disordered }, "at the receiver").to.deep.equal({ undelivered: [], disordered: [] });
  const handled = (await ask<{ event: string }>("select event::text from load_handled order by place")).map(
    ({ event }) => event,
  );
  const first = [...new Set(handled)];
  expect(
    first.findIndex((id, place) => id !== events[place]?.id),
    "at the consumer, the place of the first that is not as the events are",
  ).to.equal(-1);
  expect(first.length, "at the consumer").to.equal(events.length);
  return { again: accepted.length - seen.size, handledAgain: handled.length - first.length };
}

interface Effect {
  readonly key: string;
  readonly jobs: number;
  readonly runs: number;
}

const effects = (kind: string) =>
  `select key, count(*)::int as jobs, sum(runs)::int as runs from load_effects where kind = '${kind}' group by key order by key`;

/** Document, event, job and mail of an order are there, or none of them; each job has its effect, and is there once. */
async function checkOrders(
  ask: Ask,
  events: readonly StoredEvent[],
  { load: { orders }, mails }: { readonly load: Acknowledged; readonly mails: readonly string[] },
) {
  const done = await ask<Effect>(effects("effect"));
  const keys = done.map(({ key }) => key).sort();
  const written = await ask<{ text: string }>("select text from notes where text like 'order-%'");
  const paid = events.filter(({ type }) => type === "shop.paid").map(({ text }) => String(text));
  const known = new Set(keys);
  expect(
    orders.filter((key) => !known.has(key)),
    "jobs that were lost",
  ).to.deep.equal([]);
  expect(written.map(({ text }) => text).sort(), "documents, and jobs of the same transactions").to.deep.equal(keys);
  expect([...paid].sort(), "events, and jobs of the same transactions").to.deep.equal(keys);
  const mailed = new Set(mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? mail));
  expect([...mailed].sort(), "mails, and jobs of the same transactions").to.deep.equal(keys);
  expect(
    done.filter(({ jobs }) => jobs !== 1),
    "enqueued twice",
  ).to.deep.equal([]);
  return {
    jobs: keys.length,
    again: done.filter(({ runs }) => runs > 1).length,
    mailed: mailed.size,
    mailedAgain: mails.length - mailed.size,
  };
}

/** Each second had one job. */
async function checkTicks(ask: Ask): Promise<number> {
  const ticks = await ask<Effect>(effects("tick"));
  const times = ticks.map(({ key }) => Math.round(Date.parse(key) / 1_000)).sort((a, b) => a - b);
  const missed = times.filter((time, n) => n > 0 && time !== (times[n - 1] ?? 0) + 1);
  expect({ missed, twice: ticks.filter(({ jobs }) => jobs !== 1) }, "ticks").to.deep.equal({ missed: [], twice: [] });
  return ticks.length;
}

/** Releases happened whole or not at all, and what was planned was published once. */
async function checkPlans(ask: Ask, { releases, schedules }: Acknowledged) {
  const stored = await ask<{ name: string; state: string; whole: boolean; ids: readonly string[] }>(
    `select r.name, r.state, r.transaction as whole, array_agg(a.document_id) as ids
      from plinth_release r join plinth_release_action a on a.release = r.id group by r.id`,
  );
  const published = await ask<{ id: string; times: number }>(
    "select document_id as id, count(*)::int as times from load_publications group by document_id",
  );
  const ids = new Set(published.map(({ id }) => id));
  const isRefused = (id: string) => id.startsWith(REFUSED);
  const wrong = stored.filter(({ state, whole, ids: own }) => {
    const refused = own.filter(isRefused);
    const expected = refused.length === 0 ? own.length : whole ? 0 : own.length - refused.length;
    return state !== (refused.length === 0 ? "done" : "failed") || own.filter((id) => ids.has(id)).length !== expected;
  });
  const names = new Set(stored.map(({ name }) => name));
  expect(wrong, "releases that are not whole").to.deep.equal([]);
  expect(
    releases.filter((name) => !names.has(name)),
    "releases that were lost",
  ).to.deep.equal([]);
  expect(
    schedules.filter((id) => !ids.has(id)),
    "schedules that were lost",
  ).to.deep.equal([]);
  expect([...ids].filter(isRefused), "published although refused").to.deep.equal([]);
  expect(
    published.filter(({ times }) => times !== 1),
    "published twice",
  ).to.deep.equal([]);
  const done = stored.filter(({ state }) => state === "done").length;
  return { releases: stored.length, done, publications: ids.size };
}

/** Entries about content that are not as often there as what they are of, which was committed with them. */
const UNNOTED = `with noted as (
    select replace(action, 'document.', 'entry.') as what, document_id as of, count(*) as times from plinth_audit
      where action like 'document.%' and uid like 'api::%' or action = 'schedule.run' group by 1, 2
    union all select action || ' ' || result, details->>'release', count(*) from plinth_audit where action like 'release.%' group by 1, 2),
  done as (select type as what, document_id as of, count(*) as times from plinth_events where type like 'entry.%' group by 1, 2
    union all select 'schedule.run', document_id, 1 from load_publications where document_id like 'fine-s%'
    union all select 'release.' || act, id::text, 1 from plinth_release, unnest(array['create accepted', 'schedule accepted']) act
    union all select 'release.run ' || case state when 'done' then 'accepted' else 'refused' end, id::text, 1 from plinth_release)
  select what, of, noted.times::int as noted, done.times::int as done from noted full join done using (what, of)
    where noted.times is distinct from done.times limit 20`;

/** Each act that was done is noted once, with what it did; and the chain of the audit log is whole. */
async function checkAudit(ask: Ask, url: string | undefined) {
  expect(await ask(UNNOTED), "acts, and their entries").to.deep.equal([]);
  const answer = await fetch(`${url}/api/load/verify`, { method: "POST" });
  const { data } = (await answer.json()) as { data: Verification };
  expect({ ...data, head: null, seals: 0, entries: 0 }, "the audit log").to.deep.equal({
    ...{ isWhole: true, break: null, seals: 0, entries: 0, unsealed: 0, unsealedSince: null, head: null, cut: null },
  });
  return data;
}

/** How much of each there was: a promise about nothing is kept by everybody. */
export type Figures = Readonly<
  Record<"events" | "contested" | "jobs" | "mails" | "ticks" | "done" | "refused" | "publications" | "entries", number>
>;

/** What is outside of the database. */
interface Outside {
  readonly receiver: FaultyReceiver;
  /** As they came. */
  readonly mails: readonly string[];
  /** Of a process. */
  readonly url: string | undefined;
}

/** Checks all that is promised. @returns the figures, and all of them in words */
export async function checkAll(
  ask: Ask,
  load: Acknowledged,
  { receiver, mails, url }: Outside,
): Promise<{ readonly figures: Figures; readonly words: string }> {
  const events = await checkEvents(ask, load);
  const { again, handledAgain } = await checkDelivered(ask, events, receiver);
  const orders = await checkOrders(ask, events, { load, mails });
  const ticks = await checkTicks(ask);
  const { releases, done, publications } = await checkPlans(ask, load);
  const { entries, seals } = await checkAudit(ask, url);
  const contested = countContested(load);
  const refused = releases - done;
  const words = [
    `${events.length} events, 0 missing, 0 out of order (${contested} documents with several writers), ${again} delivered again, ${handledAgain} handled again`,
    `${orders.jobs} jobs, 0 lost, 0 twice, 0 without their document, event and mail, ${orders.again} run again, ${orders.mailedAgain} mails sent again`,
    `${ticks} ticks, 0 missed, 0 twice`,
    `${releases} releases, ${done} done, ${refused} refused, 0 in part`,
    `${publications} publications, 0 twice`,
    `${entries} entries of the audit log in ${seals} seals, 0 missing, 0 changed`,
  ].join("; ");
  const { jobs, mailed } = orders;
  const figures = {
    events: events.length,
    contested,
    jobs,
    mails: mailed,
    ticks,
    done,
    refused,
    publications,
    entries,
  };
  return { figures, words };
}

/** Documents to which several clients have written. */
function countContested({ writes }: Acknowledged): number {
  const isShared = ({ document, writer }: Series) =>
    writes.some((other) => other.document === document && other.writer !== writer);
  return new Set(writes.filter(isShared).map(({ document }) => document)).size;
}
