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
