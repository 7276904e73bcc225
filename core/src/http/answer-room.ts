import type { ServerResponse } from "node:http";
import type { PlinthError } from "../base/error.js";
import { AnswersWaitError } from "./errors.js";

/** Characters from which on an answer counts: of shorter ones, the system keeps most of a connection's. */
const LARGE = 65_536;

/**
 * The large answers that clients have not taken, of all connections together. While they have as many bytes as may wait,
 * no more are added: so clients that ask and do not read cost that, and one answer, however many they are. A small answer
 * costs a comparison.
 */
export class AnswerRoom {
  #bytes = 0;
  readonly #error: PlinthError;

  /** @param limit - bytes. */
  constructor(private readonly limit: number) {
    this.#error = new AnswersWaitError({ limit });
  }

  /** Why a text cannot be sent now: PLINTH_HTTP_ANSWERS_WAIT (503). Only for reads: who wrote has to know what became of it. */
  refusal(text: string): PlinthError | undefined {
    return text.length >= LARGE && this.#bytes >= this.limit ? this.#error : undefined;
  }

  /** Counts an answer, until it is taken or its client has gone. */
  add(response: ServerResponse, bytes: number): void {
    if (bytes < LARGE || response.destroyed) return;
    this.#bytes += bytes;
    response.once("close", () => {
      this.#bytes -= bytes;
    });
  }
}
