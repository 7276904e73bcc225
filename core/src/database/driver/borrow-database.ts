import type { Database } from "./database.js";

/** The same database for code that must not close it: `close` leaves it open for its owner. */
export function borrowDatabase(db: Database): Database {
  return {
    kind: db.kind,
    messages: db.messages,
    knex: db.knex,
    query: (statement) => db.query(statement),
    queryAll: (statements, options) => db.queryAll(statements, options),
    transaction: (work, options) => db.transaction(work, options),
    afterCommit: (task) => db.afterCommit(task),
    defer: (statement) => db.defer(statement),
    lock: (...names) => db.lock(...names),
    liftTimeLimits: () => db.liftTimeLimits(),
    builder: () => db.builder(),
    close: async () => undefined,
    sharesReads: db.sharesReads,
    connections: db.connections,
    get isInTransaction() {
      return db.isInTransaction;
    },
    get statementCount() {
      return db.statementCount;
    },
  };
}
