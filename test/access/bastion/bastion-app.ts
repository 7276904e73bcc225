import { createPlinth, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import type { TestDatabase } from "../../databases.js";
import { bastionTypes, editors, intruders, readers, strangers } from "./bastion-model.js";

/** May do everything. */
export const OWNER = "owner-of-it-all";

/** A document as its owner sees it. */
export interface Made {
  readonly id: number;
  readonly documentId: string;
}

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  readonly tag: string | null;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** What is sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The running app with its content. */
export interface Bastion {
  readonly plinth: PlinthApp;
  /** By plural name: what holds a link, and what holds none. */
  readonly made: Readonly<Record<string, { readonly linked: Made; readonly free: Made }>>;
  ask(token: string, sent: Sent): Promise<Answered>;
}

/** Serves the app with its content; stopped after the suite. */
export function serveBastion(database: TestDatabase): () => Bastion {
  let bastion: Bastion | undefined;
  before("start the app", async () => {
    const plinth = createPlinth({
      root: import.meta.dirname,
      plugins: [contentApiPlugin, graphqlPlugin],
      app: bastionTypes,
      config: {
        log: { level: "silent" },
        server: { port: 0 },
        i18n: { defaultLocale: "en", locales: ["en", "fr"] },
        database: database.config(),
        access: { tokens: { [OWNER]: "all", ...intruders, ...readers, ...editors, ...strangers } },
      },
    });
    const url = (await plinth.start()) ?? "";
    const ask = (token: string, sent: Sent) => send(url, token, sent);
    bastion = { plinth, ask, made: await fill(ask) };
  });
  after("stop the app", () => bastion?.plinth.stop());
  return () => {
    if (!bastion) throw new TypeError("The app has not started.");
    return bastion;
  };
}

async function send(url: string, token: string, { method, path, body, headers = {} }: Sent): Promise<Answered> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, tag: response.headers.get("etag"), body: text && JSON.parse(text) };
}

async function fill(ask: Bastion["ask"]): Promise<Bastion["made"]> {
  const make = async (plural: string, data: object): Promise<Made> => {
    const { status, body } = await ask(OWNER, { method: "POST", path: `/api/${plural}`, body: { data } });
    if (status !== 201) throw new TypeError(`POST ${plural} was answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const pair = async (plural: string, linked: object = {}) => ({
    linked: await make(plural, linked),
    free: await make(plural, {}),
  });
  const sections = await pair("sections", { name: "S" });
  const [tags, seats, topics, persons] = [
    await pair("tags"),
    await pair("seats"),
    await pair("topics"),
    await pair("persons"),
  ];
  const id = ({ linked }: { readonly linked: Made }) => linked.documentId;
  const held = { section: id(sections), tags: [id(tags)] };
  const topical = { topic: id(topics), themes: [id(topics)], chair: id(topics) };
  const pages = await pair("pages", { title: "P", ...held, seat: id(seats), ...topical });
  for (const { documentId } of [pages.linked, pages.free])
    await ask(OWNER, { method: "PUT", path: `/api/pages/${documentId}?locale=fr`, body: { data: { title: "F" } } });
  const notes = await pair("notes", { title: "N", ...held });
  const cards = await pair("cards", { title: "K", person: id(persons) });
  return { sections, tags, seats, topics, persons, pages, notes, cards };
}
