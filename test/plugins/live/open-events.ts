import { type IncomingHttpHeaders, request } from "node:http";

/** An event, as a browser would read it. */
export interface ReadEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** A stream of events, or the answer in its place. */
export interface OpenedEvents {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All that came so far. */
  readonly events: readonly ReadEvent[];
  /** All text that came so far. */
  text(): string;
  /** The next event that was not asked for yet; fails when the stream ends before. */
  next(): Promise<ReadEvent>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  close(): void;
}

/** What is sent. */
export interface EventRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Asks for server-sent events. */
export function openEvents(
  url: string,
  { method = "GET", headers = {}, body }: EventRequest = {},
): Promise<OpenedEvents> {
  return new Promise((resolve, reject) => {
    const sent = { accept: "text/event-stream", ...(body ? { "content-type": "application/json" } : {}), ...headers };
    const asked = request(url, { method, headers: sent, agent: false }, (response) => {
      const events: ReadEvent[] = [];
      const waiting: [(event: ReadEvent) => void, (error: Error) => void][] = [];
      let [text, rest, taken] = ["", "", 0];
      const hand = () => {
        while (waiting.length > 0 && taken < events.length) waiting.shift()?.[0](events[taken++] as ReadEvent);
      };
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        const parts = (rest + chunk).split("\n\n");
        rest = parts.pop() ?? "";
        events.push(...parts.flatMap((part) => eventOf(part) ?? []));
        hand();
      });
      const ended = new Promise<void>((end) => response.once("close", end));
      void ended.then(() => {
        for (const [, fail] of waiting) fail(new Error(`The stream ended: ${text}`));
      });
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        text: () => text,
        next: () =>
          new Promise((found, fail) => {
            waiting.push([found, fail]);
            hand();
          }),
        ended,
        close: () => asked.destroy(),
      });
    });
    asked.on("error", reject);
    asked.end(body && JSON.stringify(body));
  });
}

function eventOf(part: string): ReadEvent | undefined {
  const fields = part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
  const data = fields.flatMap(([name, value]) => (name === "data" ? [value] : []));
  if (data.length === 0) return undefined;
  const fieldOf = (name: string) => fields.find(([key]) => key === name)?.[1];
  return { event: fieldOf("event") ?? "message", id: fieldOf("id"), data: data.join("\n") };
}
