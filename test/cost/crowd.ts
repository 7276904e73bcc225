// Whether many clients that ask one thing leave room for others.
import { setTimeout as sleep } from "node:timers/promises";

/** Clients that ask the same, one request after the other each. */
const CLIENTS = 12;
/** Milliseconds between the requests of somebody else. */
const PAUSE = 40;

/** What somebody else was answered beside a crowd. */
export interface Beside {
  readonly asked: number;
  readonly answered: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly median: number;
  /** Answers of the crowd by status. */
  readonly crowd: Readonly<Record<number, number>>;
}

/** A crowd, the requests that it sends, and the document that another client asks for. */
export interface Crowd {
  /** Of the server. */
  readonly url: string;
  /** Path of the document that somebody else asks for. */
  readonly document: string;
  /** Paths of the crowd's requests; no two are equal, so that none shares the answer of another. Default: none. */
  requests?(number: number): string;
  readonly clients?: number;
}

/** Sends requests of a crowd for some seconds, and of one document beside them. */
export async function askBeside(
  { url, document, requests = () => document, clients = CLIENTS }: Crowd,
  seconds: number,
): Promise<Beside> {
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
  const [{ times, refused }] = await Promise.all([other(), ...Array.from({ length: clients }, client)]);
  const answered = times.length;
  return { asked: answered + refused, answered, refused, median: times[answered >> 1] ?? 0, crowd };
}
