/** An event of a stream. */
export interface ServerEvent {
  /** `hello`, `change`, `people`, `lost`, `end`. */
  readonly name: string;
  readonly data: unknown;
}

/** What a stream says: an event, or how long to wait before it is opened again, in milliseconds. */
export type Said = ServerEvent | { readonly retry: number };

/**
 * The events of an answer, as they come.
 *
 * @source https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Said> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield* saidIn(part);
  }
}

function saidIn(part: string): readonly Said[] {
  const fields = part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
  const valuesOf = (name: string) => fields.flatMap(([key, value = ""]) => (key === name ? [value] : []));
  const [retry] = valuesOf("retry");
  if (retry !== undefined) return [{ retry: Number(retry) }];
  const data = valuesOf("data");
  return data.length === 0 ? [] : [{ name: valuesOf("event")[0] ?? "message", data: JSON.parse(data.join("\n")) }];
}
