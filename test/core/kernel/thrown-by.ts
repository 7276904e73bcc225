import { expect } from "chai";
import { isPlinthError, type PlinthError } from "#core/base/error.js";

/** The coded error that `run` throws or rejects with; anything else fails the test. */
export async function thrownBy(run: () => unknown): Promise<PlinthError> {
  try {
    await run();
  } catch (error) {
    if (isPlinthError(error)) return error;
    throw error;
  }
  return expect.fail("nothing was thrown");
}
