import type { Database } from "@plinth/core";

/** Ends a transaction of which nothing is to be kept. */
class Tried<Result> extends Error {
  constructor(readonly result: Result) {
    super();
  }
}

/** Runs work in a transaction (a savepoint inside of one), and takes everything back. @returns what it returned */
export async function rolledBack<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(async () => {
      throw new Tried(await work());
    });
  } catch (error) {
    if (error instanceof Tried) return error.result as Result;
    throw error;
  }
}
