/** The key under which a body carries its own JSON; see JsonText. */
export const jsonText: unique symbol = Symbol.for("plinth.jsonText");

/**
 * A body that knows its JSON: sent as that text, without parsing or walking it. Its other members may parse on demand,
 * so that middlewares can read and change it; the text is read last.
 */
export interface JsonText {
  [jsonText](): string;
}

/** Whether a body carries its own JSON. */
export function hasJsonText(body: unknown): body is JsonText {
  return typeof body === "object" && body !== null && jsonText in body;
}
