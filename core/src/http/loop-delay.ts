import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Milliseconds that a turn may be late, and of processor that explain it: with less in a window, others had the processor. The
 * loop is late then without a fault of this process, and to refuse requests would not help it.
 */
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
const MICROSECONDS = 1e3;

/** Tells whether the event loop is late through work of this process: it arrives faster than the process can do it. */
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
    let since = process.cpuUsage();
    this.#timer = setInterval(() => {
      const { user, system } = process.cpuUsage(since);
      since = process.cpuUsage();
      const isOwn = (user + system) / MICROSECONDS > LIMIT;
      // A window without a look was a single turn: node measures between looks, and drops the first after a reset.
      const isDelayed = histogram.count === 0 || histogram.percentile(PERCENTILE) / NANOSECONDS - RESOLUTION > LIMIT;
      this.isLate = isOwn && isDelayed;
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
