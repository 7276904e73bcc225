/** One of the events that a client gets as they happen. */
export interface ServerSentEvent {
  /** What the client sends as Last-Event-ID when it connects again. */
  readonly id?: string;
  /** Default: `message`. */
  readonly event?: string;
  /** In several lines if it has them. */
  readonly data: string;
}

/**
 * The text of an event.
 *
 * @source https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function eventText({ id, event, data }: ServerSentEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  const named = event === undefined ? "" : `event: ${event}\n`;
  return `${id === undefined ? "" : `id: ${id}\n`}${named}${lines.join("")}\n`;
}

/** Headers of an answer of server-sent events. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Or nginx keeps what is sent until there is more of it.
  "x-accel-buffering": "no",
});

/** The end of a stream whose process is about to stop: clients come back in 1 to 5 s, not all at once, to whichever process. */
export const retryText = (): string => `retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n\n`;
