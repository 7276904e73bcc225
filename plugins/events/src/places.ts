import type { Database } from "@plinth/core";
import type { ConsumerState } from "./contract.js";
import { ConsumerUnknownError } from "./errors.js";
import { CONSUMERS, EVENTS } from "./tables.js";

const LIST = `select name, place::text, at, (select count(*) from ${EVENTS} e where e.id > c.place and e.id <= $1)::text as behind from ${CONSUMERS} c order by name`;

interface PlaceRow {
  readonly name: string;
  readonly place: string;
  readonly at: Date;
  readonly behind: string;
}

/** How far consumers have come, by their names, in the database. */
export class Places {
  constructor(private readonly db: Database) {}

  /** Undefined for one that has never read. */
  async of(name: string): Promise<number | undefined> {
    const text = `select place::text from ${CONSUMERS} where name = $1`;
    const [row] = await this.db.query<Pick<PlaceRow, "place">>({ text, values: [name], isPlan: true });
    return row && Number(row.place);
  }

  /** The place where a new one begins; one that is there stays where it is. */
  async add(name: string, place: number): Promise<void> {
    const text = `insert into ${CONSUMERS} (name, place) values ($1, $2) on conflict do nothing`;
    await this.db.query({ text, values: [name, place] });
  }

  /**
   * Never backwards: a process that lost its lock may be late.
   *
   * @returns the place that is stored now: further on where somebody has skipped
   */
  async keep(name: string, place: number): Promise<number> {
    const text = `update ${CONSUMERS} set place = greatest(place, $2), at = case when place < $2 then now() else at end
      where name = $1 returning place::text`;
    const values = [name, place];
    const [row] = await this.db.query<Pick<PlaceRow, "place">>({ text, values, isPlan: true });
    return row ? Number(row.place) : place;
  }

  /** @param taken - the last id there is. */
  async list(taken: number): Promise<readonly ConsumerState[]> {
    const rows = await this.db.query<PlaceRow>({ text: LIST, values: [taken] });
    return rows.map(({ name, place, at, behind }) => ({
      ...{ name, place: Number(place), behind: Number(behind) },
      at: at.toISOString(),
    }));
  }

  /** @throws PLINTH_EVENTS_CONSUMER_UNKNOWN (404) */
  async assertKnown(name: string): Promise<void> {
    const known = (await this.list(0)).map((consumer) => consumer.name);
    if (!known.includes(name)) throw new ConsumerUnknownError({ consumer: name, known });
  }
}
