import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grant } from "@plinth/core/access";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { uploadPlugin } from "@plinth/plugin-upload";
import type { TestDatabase } from "../../databases.js";
import { type AdminApp, type Answered, serveAdmin } from "../admin/serve-admin.js";
import { signIn } from "../admin/sign-in.js";

type Headers = Readonly<Record<string, string>>;

/** What a request has beside its path. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** A running app with the library of the admin page. */
export interface LibraryApp extends AdminApp {
  /** Sends a request of the page below `/admin/api`, by an administrator with a role; "" for nobody. */
  as(role: string, method: string, path: string, sent?: Sent): Promise<Answered>;
  /** Uploads files by their names and contents. */
  upload(role: string, files: Readonly<Record<string, string | Uint8Array>>, headers?: Headers): Promise<Answered>;
  /** Names in the storage, sorted. */
  stored(): readonly string[];
  /** What is left of requests. */
  temporary(): readonly string[];
  /** All rows of files, of folders and of what files are used by. */
  rows(): Promise<unknown>;
}

/** Says of a request that the page's own script sent it. */
export const BY_SCRIPT: Headers = { "x-plinth-admin": "1" };

/** A multipart body of files. */
export function formOf(files: Readonly<Record<string, string | Uint8Array>>): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append("files", new Blob([content]), name);
  return form;
}

/**
 * Serves articles with a cover and pictures, with a storage of its own; stopped and removed after the suite.
 *
 * @param upload - configuration of the upload plugin beside its directories.
 * @param roles - what roles may do, beside those that are given.
 */
export function serveLibrary(
  database: TestDatabase,
  upload: object = {},
  roles: Readonly<Record<string, Grant>> = {},
): () => LibraryApp {
  const root = mkdtempSync(join(tmpdir(), "plinth-library-test-"));
  const directory = join(root, "storage");
  const temporaryDirectory = join(root, "temporary");
  const attributes = {
    title: { type: "string" },
    cover: { type: "media", allowedTypes: ["images"] },
    pictures: { type: "media", multiple: true },
  } as const;
  const info = { singularName: "article", pluralName: "articles", displayName: "Article" };
  const served = serveAdmin(database, {
    plugins: [contentApiPlugin, apiTokensPlugin, uploadPlugin, adminPlugin],
    pluginConfigs: {
      "api-tokens": { loginLimit: 1000 },
      admin: { roles },
      upload: { providerOptions: { directory }, temporaryDirectory, ...upload },
    },
    app: { contentTypes: { "api::article.article": { kind: "collectionType", info, attributes } } },
  });
  after("remove the storage", () => rmSync(root, { recursive: true, force: true }));
  const as: LibraryApp["as"] = async (role, method, path, { body, headers = {} } = {}) => {
    const signedIn = role === "" ? {} : await signIn(served().plinth.app, role);
    return await served().ask(method, `/admin/api${path}`, { ...signedIn, ...headers }, body);
  };
  const rows = async () => {
    const { db } = served().plinth.app;
    const all = (table: string) => db.query({ text: `select * from "${table}" t order by t::text`, values: [] });
    const tables = ["files", "upload_folders", "articles", "articles_links"];
    const rows: unknown[] = [];
    for (const table of tables) rows.push(await all(table));
    return rows;
  };
  return () => ({
    ...served(),
    as,
    rows,
    upload: (role, files, headers = BY_SCRIPT) => as(role, "POST", "/files", { body: formOf(files), headers }),
    stored: () => listOrNone(directory).toSorted(),
    temporary: () => listOrNone(temporaryDirectory),
  });
}

/** A directory that nobody needed yet is not there. */
function listOrNone(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
