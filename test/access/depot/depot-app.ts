import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import type { TestDatabase } from "../../databases.js";
import { fingerprint } from "../../plugins/content-api/hostile-requests.js";
import { SECRET } from "../../plugins/users-permissions/auth-app.js";
import { depotApp, idlers, lookers, neighbours } from "./depot-model.js";
import { CHEAP_ROUNDS } from "../../projects.js";

/** May do everything. */
export const OWNER = "owner-of-it-all";

/** What is sent: a body as JSON, or a form. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Fields of a multipart request; a file has a name. */
  readonly form?: readonly (readonly [field: string, value: string, fileName?: string])[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  readonly tag: string | null;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** A row as its owner sees it. */
export interface Made {
  readonly id: number;
  readonly documentId: string;
}

/** What there is. */
export type Kept = Readonly<
  Record<"tale" | "freeTale" | "home" | "file" | "freeFile" | "folder" | "freeFolder" | "user", Made>
>;

/** The running app with its content. */
export interface Depot {
  readonly plinth: PlinthApp;
  readonly kept: Kept;
  ask(actor: string, sent: Sent): Promise<Answered>;
  /** Every row of the database, and every byte of the storage. */
  state(): Promise<unknown>;
}

/** The token of an actor. */
const tokenOf = (actor: string): string => actor.replaceAll(" ", "-");

/** Serves the app with its content; stopped after the suite. */
export function serveDepot(database: TestDatabase): () => Depot {
  let depot: Depot | undefined;
  const root = mkdtempSync(join(tmpdir(), "plinth-depot-test-"));
  before("start the app", async () => {
    depot = await startDepot(database, root);
  });
  after("stop the app", async () => {
    await depot?.plinth.stop();
    rmSync(root, { recursive: true, force: true });
  });
  return () => {
    if (!depot) throw new TypeError("The app has not started.");
    return depot;
  };
}

async function startDepot(database: TestDatabase, root: string): Promise<Depot> {
  const directory = join(root, "storage");
  const actors = Object.entries({ ...idlers, ...neighbours, ...lookers });
  const plinth = createPlinth({
    root,
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, graphqlPlugin, uploadPlugin, usersPermissionsPlugin],
    app: depotApp,
    pluginConfigs: {
      upload: { providerOptions: { directory }, temporaryDirectory: join(root, "temporary") },
      "users-permissions": { jwtSecret: SECRET },
    },
    config: {
      log: { level: "silent" },
      server: { port: 0 },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      database: database.config(),
      access: {
        tokens: { [OWNER]: "all", ...Object.fromEntries(actors.map(([actor, grant]) => [tokenOf(actor), grant])) },
      },
    },
  });
  const url = (await plinth.start()) ?? "";
  const ask = (actor: string, sent: Sent) => send(url, tokenOf(actor), sent);
  const state = async () => [
    await fingerprint(plinth),
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "base64")]),
  ];
  return { plinth, ask, state, kept: await fill(ask) };
}

async function send(url: string, token: string, { method, path, body, form, headers = {} }: Sent): Promise<Answered> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : form ? { body: formOf(form) } : {}),
  });
  const text = await response.text();
  return { status: response.status, tag: response.headers.get("etag"), body: text && JSON.parse(text) };
}

function formOf(fields: NonNullable<Sent["form"]>): FormData {
  const form = new FormData();
  for (const [field, value, fileName] of fields)
    if (fileName === undefined) form.append(field, value);
    else form.append(field, new Blob([value]), fileName);
  return form;
}

async function fill(ask: Depot["ask"]): Promise<Kept> {
  const manage = async (sent: Sent) => {
    const { status, body } = await ask(OWNER, sent);
    if (status >= 300)
      throw new TypeError(`${sent.method} ${sent.path} was answered ${status}: ${JSON.stringify(body)}`);
    return body.data ?? body;
  };
  const write = (method: string, path: string, data: object): Promise<Made> => manage({ method, path, body: { data } });
  const upload = async (name: string): Promise<Made> =>
    (await manage({ method: "POST", path: "/api/upload", form: [["files", `text of ${name}`, name]] }))[0];
  const [file, freeFile] = [await upload("used.txt"), await upload("free.txt")];
  const folder = await write("POST", "/api/upload/folders", { name: "filled", files: [file.documentId] });
  const freeFolder = await write("POST", "/api/upload/folders", { name: "empty", parent: folder.documentId });
  const roles = (await manage({ method: "GET", path: "/api/users-permissions/roles" })) as { roles: Made[] };
  const account = { username: "ada", email: "ada@example.com", password: "Analytical-Engine-1843" };
  const user: Made = await manage({
    method: "POST",
    path: "/api/users",
    body: { ...account, role: roles.roles[0]?.id },
  });
  const home = await write("PUT", "/api/home", { title: "home", cover: file.id });
  const part = { text: "part", picture: file.id };
  const parts = { part, blocks: [{ __component: "shared.part", ...part }] };
  const linked = { title: "linked", home: home.documentId, owner: user.documentId, readers: [user.documentId] };
  const tale = await write("POST", "/api/tales", { ...linked, cover: file.id, gallery: [file.id], ...parts });
  const freeTale = await write("POST", "/api/tales", { title: "free" });
  await write("PUT", `/api/tales/${tale.documentId}?locale=fr`, { ...linked, title: "French" });
  await write("PUT", `/api/tales/${freeTale.documentId}?locale=fr`, { title: "French" });
  await write("PUT", `/api/tales/${tale.documentId}?status=draft`, { title: "edited" });
  await write("PUT", "/api/home?status=draft", { title: "edited", ...parts });
  return { tale, freeTale, home, file, freeFile, folder, freeFolder, user };
}
