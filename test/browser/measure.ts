import type { Page } from "playwright-core";

/** Where a page of these tests keeps what was measured. */
const SEEN = "plinthSeen";
const SEEN_AT = "plinthSeenAt";

/**
 * Opens a page, and measures until what a selector finds has been painted.
 *
 * @returns milliseconds since the navigation began
 */
export async function timeOfLoad(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript({ content: watchFor(selector, "0") });
  await page.goto(url);
  return await seenAfter(page);
}

/**
 * Does something that is begun by a click, and measures until what a selector finds has been painted.
 *
 * @param act - clicks
 * @returns milliseconds since the click
 */
export async function timeOfClick(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`addEventListener("click", ({ timeStamp }) => { ${watchFor(selector, "timeStamp")} },
    { capture: true, once: true }); window.${SEEN} = undefined`);
  await act();
  return await seenAfter(page);
}

function seenAfter(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    (function look() {
      if (window.${SEEN} === undefined) requestAnimationFrame(look);
      else done(window.${SEEN});
    })();
  })`);
}

/**
 * What became of the last request to an address, in milliseconds: until the answer began, and from its end until what was
 * waited for last had been painted.
 *
 * @param part - of the address
 */
export function timesOfAnswer(page: Page, part: string): Promise<{ server: number; drawn: number }> {
  return page.evaluate(`(() => {
    const asked = performance.getEntriesByType("resource").filter(({ name }) => decodeURIComponent(name).includes(${JSON.stringify(part)}));
    const { requestStart, responseStart, responseEnd } = asked.at(-1);
    return { server: responseStart - requestStart, drawn: window.${SEEN_AT} - responseEnd };
  })()`);
}

/** Milliseconds that a page needs to draw HTML: from before it is set until it has been painted. */
export function timeOfHtml(page: Page, html: string): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const start = performance.now();
    document.body.innerHTML = ${JSON.stringify(html)};
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  })`);
}

/** Looks once a frame; a frame has been painted when the task after it runs. */
const watchFor = (selector: string, start: string) => `
  (function look() {
    if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => {
      window.${SEEN_AT} = performance.now();
      window.${SEEN} = window.${SEEN_AT} - ${start};
    }));
  })()`;

/** How long the keys of a text took, in milliseconds: from the key until the paint that shows what it did. */
export interface KeyTimes {
  readonly median: number;
  readonly p98: number;
}

/**
 * Types a text key by key into what has the focus (INP: Interaction to Next Paint, by Event Timing, which rounds to 8 ms
 * and leaves out what takes less than 16).
 */
export async function timeKeys(page: Page, text: string): Promise<KeyTimes> {
  await page.evaluate(`window.keyTimes = new Map();
    window.keyObserver = new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId) keyTimes.set(interactionId, Math.max(duration, keyTimes.get(interactionId) ?? 0));
    });
    keyObserver.observe({ type: "event", durationThreshold: 16 })`);
  for (const key of text) {
    await page.keyboard.press(key === " " ? "Space" : key);
    await page.evaluate("new Promise(requestAnimationFrame)");
  }
  const times = await page.evaluate<
    readonly number[]
  >(`new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    keyObserver.disconnect();
    done([...keyTimes.values()]);
  }, 100)))`);
  const shown = [...times, ...Array<number>(Math.max(0, text.length - times.length)).fill(SHORTEST)].sort(
    (a, b) => a - b,
  );
  return { median: shown[Math.floor(shown.length / 2)] ?? 0, p98: shown[Math.ceil(shown.length * 0.98) - 1] ?? 0 };
}

/** What Event Timing does not report took less. */
const SHORTEST = 16;

/** Milliseconds of all work of a page's thread (script, layout, paint) while `act` runs. */
export async function timeOfWork(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await read();
  await act();
  const after = await read();
  await session.detach();
  return after - before;
}

/** Makes the processor so many times slower for a page. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** The middle one of several measurements: one that a busy machine held up does not count. */
export async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  const measured: number[] = [];
  for (let run = 0; run < times; run += 1) measured.push(await measure());
  return measured.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}
