import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";

/** How often it is looked, and how many milliseconds lie between two looks. */
const TRIES = 100;
const PAUSE = 50;

/** Waits until something is as it should be: what is drawn after an event, or in a frame of its own. */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (JSON.stringify(await read()) === JSON.stringify(expected)) return;
    await sleep(PAUSE);
  }
  expect(await read()).to.deep.equal(expected);
}
