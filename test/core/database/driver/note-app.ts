import { setTimeout as sleep } from "node:timers/promises";
import type { Plugin, RawContentType } from "@plinth/core";
import type { TestAppOptions } from "@plinth/test-kit";
import type { PostgresNode } from "../../../postgres-cluster.js";
import { LONGEST_WAIT } from "../../../longest-wait.js";

export const NOTE = "api::note.note";

const note: RawContentType = {
  uid: NOTE,
  kind: "collectionType",
  collectionName: "notes",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  options: { draftAndPublish: false },
  attributes: { title: { type: "string" } },
};

/** An app with one content-type, which everybody may read, on a primary with replicas. */
export function noteApp(
  connection: string,
  replicas: Readonly<Record<string, unknown>>,
  plugins: readonly Plugin[],
): TestAppOptions {
  return {
    plugins,
    app: { contentTypes: { [NOTE]: note } },
    database: { client: "postgres", connection, replicas } as NonNullable<TestAppOptions["database"]>,
    config: { access: { public: "read", tokens: { "editor-token": "all" } } },
  };
}

/** Repeats what fails until it succeeds. @throws its last error after `limit` milliseconds */
export async function eventually<T>(attempt: () => Promise<T>, limit = LONGEST_WAIT): Promise<T> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}

/** Has a standby replay what it gets so much later; from now on. */
export async function delayReplay(node: PostgresNode, delay: string): Promise<void> {
  await node.ask(`alter system set recovery_min_apply_delay = '${delay}'`);
  await node.ask("select pg_reload_conf()");
}
