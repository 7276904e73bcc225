// Runs deletions beside writes that name what is deleted.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import type { Answered } from "../../plugins/admin/serve-admin.js";
import { type Site, serveSite } from "./site.js";

/** By what a deletion is asked for. */
export type Way = "rest" | "graphql" | "admin";

/** Requests that are sent at once. */
export interface Race {
  readonly remove: () => Promise<Answered>;
  /** Each names what is deleted; by what it is called in a failure. */
  readonly writes: Readonly<Record<string, () => Promise<Answered>>>;
}

/** Something that is deleted, or renamed or moved, while it is named. */
export interface Deletion {
  /** Begins the sentence of a test. */
  readonly what: string;
  readonly ways: readonly Way[];
  /** Whether a deletion is refused where something names it, so that of a deletion and a write one is refused. */
  readonly isRefusedInUse?: true;
  /** What it names is made anew for each round. */
  prepare(site: Site, way: Way, round: number): Promise<Race>;
  /** The statement that finds rows which name something that is not there. */
  readonly leftovers: string;
}

/** Milliseconds within which the requests of a round are sent, and by which the writes are later: by the round, so that each side is first. */
const SPREAD = 6;
const LATER = [0, 3, 6, 9];

/** What a client may be answered. */
const ACCEPTED = [200, 201, 204];
const REFUSED = [400, 401, 403, 404, 409, 412];

/** The body of an answer that has to be a success. */
export function made({ status, text, body }: Answered): Answered["body"] {
  expect(ACCEPTED, text).to.include(status);
  return body;
}

/** Defines a test for each way of each deletion. */
export function testDeletions(deletions: readonly Deletion[]): void {
  eitherDatabase("postgres", (database) => {
    // The embedded database has one connection: its transactions never meet.
    const rounds = database.kind === "postgres" ? 60 : 6;
    const site = serveSite(database);
    for (const deletion of deletions)
      for (const way of deletion.ways)
        it(`${deletion.what} (${way}) leaves nothing behind that names it`, async () => {
          await assertWritable(site(), deletion, way);
          for (let round = 1; round <= rounds; round += 1) await race(site(), deletion, { way, round });
          expect(await site().rows(deletion.leftovers)).to.deep.equal([]);
        });
  });
}

/** Without a deletion all is accepted; the deletion that follows is, too, or finds that it is in use. */
async function assertWritable(site: Site, deletion: Deletion, way: Way): Promise<void> {
  const { remove, writes } = await deletion.prepare(site, way, 0);
  for (const [name, send] of Object.entries(writes)) {
    const { status, text } = await send();
    expect(ACCEPTED, `${name}: ${text}`).to.include(status);
  }
  const { status, text } = await remove();
  expect(deletion.isRefusedInUse ? REFUSED : ACCEPTED, `the deletion: ${text}`).to.include(status);
}

/** Sends a deletion and all writes at about the same time. */
async function race(site: Site, deletion: Deletion, { way, round }: { readonly way: Way; readonly round: number }) {
  const { remove, writes } = await deletion.prepare(site, way, round);
  const requests = Object.entries({ "the deletion": remove, ...writes });
  const answers = await Promise.all(
    requests.map(async ([name, send]) => {
      const start = send === remove ? 0 : LATER[round % LATER.length];
      await pause((start ?? 0) + Math.random() * SPREAD);
      return { name, ...(await send()) };
    }),
  );
  for (const { name, status, text } of answers)
    expect([...ACCEPTED, ...REFUSED], `${name}: ${text}`).to.include(status);
  const [deletedOrNot, ...written] = answers.filter(({ status }) => ACCEPTED.includes(status)).map(({ name }) => name);
  if (deletion.isRefusedInUse && deletedOrNot === "the deletion") expect(written, `round ${round}`).to.deep.equal([]);
}
