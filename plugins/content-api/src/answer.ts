import { type JsonText, jsonText } from "@plinth/core/http";
import type { Answer } from "./contract.js";

/** What an answer is made from: JSON as text, and the same parsed. */
interface AnswerSource {
  readonly text: string;
  readonly parse: () => unknown;
}

/** `data` and `meta`; what a handler adds makes it more. */
const OWN_MEMBERS = 2;

/**
 * An answer with the database's text as it is. Reading `data` parses it, and from then on the answer
 * is written from the parsed form, so that handlers and middlewares can change it.
 */
class TextAnswer implements Answer, JsonText {
  /**
   * Shared by all answers: an accessor per answer would give each a hidden class of its own, which keeps its text
   * alive.
   */
  static readonly #data: PropertyDescriptor & ThisType<TextAnswer> = {
    enumerable: true,
    get() {
      return this.#parse().data;
    },
    set(data: unknown) {
      this.#parse().data = data;
    },
  };

  declare data: unknown;
  readonly #source: AnswerSource;
  #parsed: { data: unknown } | undefined;

  constructor(
    source: AnswerSource,
    public meta: Record<string, unknown>,
  ) {
    this.#source = source;
    // An own property, so that `{ ...answer }` has it too.
    Object.defineProperty(this, "data", TextAnswer.#data);
  }

  [jsonText](): string {
    const hasMore = Object.keys(this).length > OWN_MEMBERS;
    if (this.#parsed || hasMore) return JSON.stringify(this);
    return `{"data":${this.#source.text},"meta":${JSON.stringify(this.meta)}}`;
  }

  #parse(): { data: unknown } {
    this.#parsed ??= { data: this.#source.parse() };
    return this.#parsed;
  }
}

/** The answer `{ data, meta }` of some JSON text. */
export function createAnswer(source: AnswerSource, meta: Record<string, unknown>): Answer {
  return new TextAnswer(source, meta);
}
