import { type App, isPlinthError } from "@plinth/core";
import type { ReadBudget } from "@plinth/core/reads";
import { ListTooSlowError } from "../errors.js";

/** Milliseconds that a search or a sort without an index may take; there are fewer editors than visitors. */
const SEARCH_TIME = 2000;

/** The budget of lists and pickers: the database ends a statement that takes longer. */
export const listBudget = ({ readBudget }: Pick<App, "readBudget">): ReadBudget => ({
  ...readBudget,
  expensiveTime: Math.max(readBudget.expensiveTime, SEARCH_TIME),
});

/** Runs the read of a list or a picker. @throws PLINTH_ADMIN_LIST_TOO_SLOW (503) where the database ended it */
export async function readInTime<T>(app: Pick<App, "readBudget">, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isLate = isPlinthError(error) && error.code === "PLINTH_DATABASE_TIMEOUT";
    throw isLate ? new ListTooSlowError({ limit: listBudget(app).expensiveTime }, { cause: error }) : error;
  }
}
