import type { Database, Deferred, Statement } from "../driver/database.js";
import type { Version } from "./version.js";
import type { WritePlan } from "./write-plan.js";

/** The copy of a version over the other one of its document and locale. */
export interface VersionCopy {
  readonly from: Pick<Version, "id" | "documentId" | "locale" | "isDraft">;
  /** Publication time of the copy; null where it is a draft. */
  readonly publishedAt: string | null;
  /** The row that the copy goes over, where there is one. */
  readonly to: Version | undefined;
}

/** A row that was written last, and the statement that writes its copy as well; undefined where there is none. */
interface LastRow {
  /** `""` of a new one. */
  readonly id: string;
  readonly deferred: Deferred;
  readonly withCopy: (copy: VersionCopy) => Statement | undefined;
}

/**
 * Writes rows without waiting for the result: the statements are sent along with the next one of the operation, at the
 * latest with its answer or its commit, and those that write and copy one row become one. Operations need not know.
 */
export class UnitOfWork {
  #last: LastRow | undefined;

  constructor(private readonly db: Database) {}

  /** @param values - those of `insert` */
  insert({ sql }: WritePlan, values: readonly unknown[]): void {
    this.#last = {
      id: "",
      deferred: this.#defer(sql.quiet.insert, values),
      withCopy: ({ publishedAt }) => statement(sql.quiet.insertBoth, [...values, publishedAt]),
    };
  }

  /** @param record - the columns that change, and their values */
  update({ sql }: WritePlan, id: string, record: Readonly<Record<string, unknown>>): void {
    const columns = Object.keys(record);
    const values = [id, JSON.stringify(record)];
    this.#last = {
      id,
      deferred: this.#defer(sql.update(columns), values),
      withCopy: ({ publishedAt, to }) =>
        to && statement(sql.quiet.updateBoth(columns), [...values, to.id, publishedAt]),
    };
  }

  /** Copies the row that was written last, or another one. */
  copy({ sql }: WritePlan, copy: VersionCopy): void {
    const { id, documentId, locale, isDraft } = copy.from;
    const last = this.#last;
    this.#last = undefined;
    const both = last && !last.deferred.isSent && last.id === id ? last.withCopy(copy) : undefined;
    if (both) last?.deferred.replace(both);
    else this.#defer(sql.quiet.copy, [documentId, locale, isDraft, copy.publishedAt]);
  }

  /** Writes what was put off, before rows are read. */
  async flush(): Promise<void> {
    await this.db.queryAll([]);
    this.#last = undefined;
  }

  #defer(text: string, values: readonly unknown[]): Deferred {
    return this.db.defer(statement(text, values));
  }
}

const statement = (text: string, values: readonly unknown[]): Statement => ({ text, values, isPlan: true });
