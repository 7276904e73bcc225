// Whether many clients that ask one thing leave room for others.
import { setTimeout as sleep } from "node:timers/promises";

/** Clients that ask the same, one request after the other each. */
const CLIENTS = 12;
/** Milliseconds between the requests of somebody else. */
const PAUSE = 40;

/** What somebody else was answered beside a crowd. */
export interface Beside {
  readonly asked: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly median: number;
  /** Answers of the crowd by status. */
  readonly crowd: Readonly<Record<number, number>>;
}

/** Requests of one kind; no two are equal, so that none shares the answer of another. */
export type Requests = (number: number) => string;

/** Sends requests of a crowd for some time, and of one document beside them. @param url - of the server */
export async function askBeside(url: string, requests: Requests, document: string, seconds: number): Promise<Beside> {
  const end = performance.now() + seconds * 1000;
  const crowd: Record<number, number> = {};
  let sent = 0;
  const ask = async (path: string) => {
    const response = await fetch(url + path);
    await response.arrayBuffer();
    return response.status;
  };
  const client = async () => {
    while (performance.now() < end) {
      sent += 1;
      const status = await ask(requests(sent));
      crowd[status] = (crowd[status] ?? 0) + 1;
    }
  };
  const other = async () => {
    const times: number[] = [];
    let refused = 0;
    while (performance.now() < end) {
      const since = performance.now();
      if ((await ask(document)) === 200) times.push(performance.now() - since);
      else refused += 1;
      await sleep(PAUSE);
    }
    return { times: times.sort((one, two) => one - two), refused };
  };
  const [{ times, refused }] = await Promise.all([other(), ...Array.from({ length: CLIENTS }, client)]);
  return { asked: times.length + refused, refused, median: times[times.length >> 1] ?? 0, crowd };
}
