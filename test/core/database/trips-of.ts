// Counts the round trips of some work to a database, for tests of what it costs.
import { AsyncLocalStorage } from "node:async_hooks";
import { channels, type DatabaseMessage } from "#core/base/telemetry.js";

type Trip = Pick<DatabaseMessage, "text" | "statements">;

/** The trips of the work that runs, and the pool that they are of. */
const counted = new AsyncLocalStorage<{ readonly pool: object; readonly trips: Trip[] }>();

/**
 * The round trips of some work, by its async context: what the app does by itself meanwhile, such as heartbeats or entries of a
 * log, is not among them.
 *
 * @param pool - `app.db.knex`: of which database
 */
export async function tripsOf(pool: object, work: () => Promise<unknown>): Promise<readonly Trip[]> {
  const trips: Trip[] = [];
  channels.db.start.subscribe(note);
  await counted.run({ pool, trips }, work).finally(() => channels.db.start.unsubscribe(note));
  return trips;
}

function note(trip: DatabaseMessage): void {
  const work = counted.getStore();
  if (work && trip.pool === work.pool) work.trips.push(trip);
}
