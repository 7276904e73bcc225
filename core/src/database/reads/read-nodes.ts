import { isPlinthError } from "../../base/error.js";
import { channels, type ReplicaMessage } from "../../base/telemetry.js";
import type { Database } from "../driver/database.js";
import type { ReadPoint } from "../driver/position.js";

/** What the primary would answer with as well. */
const LASTING: ReadonlySet<string> = new Set([
  "PLINTH_DATABASE_TIMEOUT",
  "PLINTH_DATABASE_BUSY",
  "PLINTH_READ_BUSY",
  "PLINTH_READ_TOO_LARGE",
]);

const whyOf = ({ position }: ReadPoint, hasWaited: boolean): ReplicaMessage["why"] => {
  if (position === undefined) return "public";
  return hasWaited ? "waited" : "caught-up";
};

/** The primary and its replicas, each with what reads are run by there. */
export class ReadNodes<Node> {
  readonly primary: Node;
  readonly #db: Database;
  readonly #replicas: ReadonlyMap<Database, Node>;

  /** @param create - makes a node of a database. */
  constructor(db: Database, create: (db: Database) => Node) {
    this.#db = db;
    this.primary = create(db);
    this.#replicas = new Map((db.replicas?.pools ?? []).map((replica) => [replica, create(replica)]));
  }

  /**
   * Runs a read on the replica that its point allows; on the primary where there is none, or where it fails there: a
   * replica may lack a new table, cancel what is in the way of replaying, or be gone.
   *
   * @param isReported - whether subscribers of `channels.replica` learn where it ran; not of what only prepares a read.
   */
  async read<Result>(from: ReadPoint, run: (node: Node) => Promise<Result>, isReported = true): Promise<Result> {
    const chosen = this.#db.replicas?.choose(from);
    const replica = chosen instanceof Promise ? await chosen : chosen;
    if (!replica) return this.#readPrimary(run, isReported);
    try {
      const result = await replica.run((db) => run(this.#replicas.get(db) as Node));
      if (isReported && channels.replica.hasSubscribers)
        this.#report("replica", whyOf(from, chosen instanceof Promise));
      return result;
    } catch (error) {
      if (isPlinthError(error) && LASTING.has(error.code)) throw error;
      return this.#readPrimary(run, isReported);
    }
  }

  #readPrimary<Result>(run: (node: Node) => Promise<Result>, isReported: boolean): Promise<Result> {
    if (isReported && channels.replica.hasSubscribers) this.#report("primary", "behind");
    return run(this.primary);
  }

  #report(target: ReplicaMessage["target"], why: ReplicaMessage["why"]): void {
    channels.replica.publish({ pool: this.#db.knex, target, why });
  }
}
