import type { ReportChannel } from "#core/base/telemetry.js";

/** Messages by a name of the test's. */
type Heard<Name extends string> = Readonly<Record<Name, object[]>> & {
  /** Listens no more, until the next test. */
  stop(): void;
};

/** What some channels say while each test of a suite runs; empty when it begins. */
export function listenTo<Name extends string>(
  channels: Readonly<Record<Name, { readonly name: string }>>,
): Heard<Name> {
  const names = Object.keys(channels) as Name[];
  const messages = Object.fromEntries(names.map((name) => [name, [] as object[]])) as Record<Name, object[]>;
  const listeners = names.map((name) => {
    const channel = channels[name] as unknown as ReportChannel<object>;
    return { channel, listener: (message: object) => void messages[name].push(message) };
  });
  const stop = () => {
    for (const { channel, listener } of listeners) channel.unsubscribe(listener);
  };
  beforeEach("listen", () => {
    for (const name of names) messages[name].length = 0;
    for (const { channel, listener } of listeners) channel.subscribe(listener);
  });
  afterEach("listen no more", stop);
  return { ...messages, stop };
}
