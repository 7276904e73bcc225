import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/** Milliseconds that a turn may be late. */
const LIMIT = 250;
/** Milliseconds between two looks at the event loop, and for which a finding holds. */
const RESOLUTION = 20;
const WINDOW = 1_000;
/**
 * Of the looks of a second, the share that may be late. One long turn, such as a large collection of garbage, is one look
 * among many; a loop that is always late has few others.
 */
const PERCENTILE = 90;
const NANOSECONDS = 1e6;

/** Tells whether the event loop is late: work arrives faster than this process can do it. */
export class LoopDelay {
  /** As the last second found it. */
  isLate = false;
  #histogram: IntervalHistogram | undefined;
  #timer: NodeJS.Timeout | undefined;

  watch(): void {
    if (this.#timer) return;
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
    histogram.enable();
    this.#histogram = histogram;
    this.#timer = setInterval(() => {
      this.isLate = histogram.percentile(PERCENTILE) / NANOSECONDS - RESOLUTION > LIMIT;
      histogram.reset();
    }, WINDOW).unref();
  }

  unwatch(): void {
    clearInterval(this.#timer);
    this.#histogram?.disable();
    this.#timer = undefined;
    this.isLate = false;
  }
}
