import type { Logger } from "pino";
import { isPlinthError } from "../base/error.js";

/** Milliseconds in which one kind of fault is logged once, with how often it came. */
const WINDOW = 1_000;

/** Faults of one kind since the last line. */
interface Burst {
  count: number;
}

const bursts = new WeakMap<Logger, Map<string, Burst>>();

/**
 * Logs a fault of a request at level error. Those with status 503 and 507 are of the database as a rule, and then every
 * request has one: of each kind the first is logged, and each second how many more there were.
 *
 * @param details - what else the line says, such as the request's id.
 */
export function logFault(log: Logger, error: unknown, details: object, message = "A request failed"): void {
  if (!isPlinthError(error) || error.status < 503) {
    log.error({ err: error, ...details }, message);
    return;
  }
  const ofLog = bursts.get(log) ?? new Map<string, Burst>();
  bursts.set(log, ofLog);
  const known = ofLog.get(error.code);
  if (known) {
    known.count += 1;
    return;
  }
  ofLog.set(error.code, { count: 0 });
  log.error({ err: error, ...details }, message);
  const timer = setInterval(() => {
    const burst = ofLog.get(error.code);
    if (burst && burst.count > 0) {
      log.error({ code: error.code, count: burst.count }, `${burst.count} more requests failed: ${error.message}`);
      burst.count = 0;
      return;
    }
    clearInterval(timer);
    ofLog.delete(error.code);
  }, WINDOW).unref();
}
