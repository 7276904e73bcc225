import { type AppSetup, createPlinth, type PlinthApp } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import type { TestDatabase } from "../../databases.js";
import { planner, reader, vaultTypes, visitor } from "./vault-model.js";
import { CHEAP_ROUNDS } from "../../projects.js";
import { sendRequest } from "../../send-request.js";

/** Bearers: of who may do everything, of who does not see some rows, attributes and types, and of who does not see drafts and French. */
export const ADMIN = "administrator";
export const VISITOR = "visitor";
export const READER = "reader";
/** Who sees what the visitor sees, and plans and restores it. */
export const PLANNER = "planner";

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** A document of the vault, as its administrator sees it. */
export interface Kept {
  readonly id: number;
  readonly documentId: string;
}

/** The running app, with its content. */
export interface Vault {
  readonly plinth: PlinthApp;
  readonly url: string;
  /** By name: `shown` and `hidden` for what the visitor sees and does not. */
  readonly kept: Readonly<Record<"dossier" | "shownPerson" | "hiddenPerson" | "shownNote" | "hiddenNote", Kept>>;
  /** Asks as the visitor, or with another bearer. */
  ask(method: string, path: string, data?: object, token?: string): Promise<Answered>;
  /** Asks as the administrator; fails with the server's words when it is refused. */
  manage(method: string, path: string, data: object): Promise<Kept>;
}

/**
 * Serves the vault with its content; stopped after the suite.
 *
 * @param extras - such as other plugins
 * @param rest - of config/api
 */
export function serveVault(database: TestDatabase, extras: Partial<AppSetup> = {}, rest: object = {}): () => Vault {
  let vault: Vault | undefined;
  before("start the vault", async () => {
    const plinth = createPlinth({ ...setupOf(database, rest), ...extras });
    const url = (await plinth.start()) ?? "";
    const manage = async (method: string, path: string, data: object) => {
      const { status, body } = await send(`${url}${path}`, { method, token: ADMIN, data });
      if (status >= 300) throw new TypeError(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`);
      return body.data as Kept;
    };
    const ask = (method: string, path: string, data?: object, token = VISITOR) =>
      send(`${url}${path}`, { method, token, ...(data && { data }) });
    vault = { plinth, url, ask, manage, kept: await fill(manage) };
  });
  after("stop the vault", () => vault?.plinth.stop());
  return () => {
    if (!vault) throw new TypeError("The vault has not started.");
    return vault;
  };
}

function setupOf(database: TestDatabase, rest: object) {
  return {
    root: import.meta.dirname,
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, graphqlPlugin],
    app: {
      ...vaultTypes,
      strategies: {
        visitors: {
          name: "visitors",
          authenticate: (bearer: string) => {
            const grant = { [VISITOR]: visitor, [READER]: reader, [PLANNER]: planner }[bearer];
            return grant && { kind: "user", ability: createAbility(grant) };
          },
        },
      },
    },
    config: {
      log: { level: "silent" },
      server: { port: 0 },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      // Drafts are read here by whoever may find, as far as rules go; drafts.test.ts is about those that are closed.
      api: { rest: { openDrafts: true, ...rest } },
      database: database.config(),
      access: { tokens: { [ADMIN]: "all" } },
    },
  };
}

/** What the hidden values of the content are, so that probes can match them. */
export const HIDDEN = {
  diary: "needle",
  email: "needle@example.com",
  name: "Needle",
  pin: "Needle-1",
  // Too long to stand in an id by chance.
  rank: 5_000_050,
} as const;

/** Numbers, ids and texts that no row has. */
export const ABSENT = { text: "absent", id: 987_654, documentId: "zzzzzzzzzzzzzzzzzzzzzzzz" } as const;

async function fill(manage: Vault["manage"]): Promise<Vault["kept"]> {
  const secrets = { diary: HIDDEN.diary, pin: HIDDEN.pin };
  const dossier = await manage("POST", "/api/dossiers", { name: HIDDEN.name });
  const person = (name: string, rank: number) =>
    manage("POST", "/api/persons", { name, rank, email: HIDDEN.email, dossier: dossier.documentId, ...secrets });
  const shownPerson = await person("Ada", 1);
  const hiddenPerson = await person(HIDDEN.name, HIDDEN.rank);
  const note = (title: string, rank: number, owner: Kept) => {
    const detail = { text: title, person: hiddenPerson.documentId, dossier: dossier.documentId, ...secrets };
    return manage("POST", "/api/notes", {
      ...{ title, rank, owner: owner.documentId, dossier: dossier.documentId, ...secrets },
      people: [hiddenPerson.documentId, shownPerson.documentId],
      ...{ detail, details: [detail, { text: "plain", person: shownPerson.documentId }] },
      blocks: [
        { __component: "shared.detail", ...detail },
        { __component: "shared.outer", label: "outer", inner: detail },
      ],
    });
  };
  const shownNote = await note("Alpha", 1, shownPerson);
  await note("Beta", 2, hiddenPerson);
  const hiddenNote = await note(HIDDEN.name, HIDDEN.rank, shownPerson);
  return { dossier, shownPerson, hiddenPerson, shownNote, hiddenNote };
}

interface Sent {
  readonly method: string;
  readonly token: string;
  readonly data?: object;
}

async function send(url: string, { method, token, data }: Sent): Promise<Answered> {
  const { status, text } = await sendRequest(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(data ? { "content-type": "application/json" } : {}) },
    body: data && JSON.stringify({ data }),
  });
  return { status, body: text && JSON.parse(text) };
}
