import { availableParallelism } from "node:os";
import { InvalidWorkersError } from "../errors.js";

const MOST = 256;

/**
 * How many workers `--workers` asks for.
 *
 * @param given - a number from 1 to 256, or `auto`: one a processor core.
 * @throws PLINTH_CLI_INVALID_WORKERS
 */
export function countWorkers(given: string): number {
  const count = given === "auto" ? availableParallelism() : Number(given);
  if (!Number.isInteger(count) || count < 1 || count > MOST) throw new InvalidWorkersError({ given, most: MOST });
  return count;
}
