import { channels, type DatabaseMessage } from "@plinth/core/telemetry";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import type { TestDatabase } from "../../databases.js";
import { type AppExtras, type CorpusApp, serveCorpusTypes } from "../../corpus-app.js";

/** What an operation answered. */
export interface GraphqlAnswer {
  readonly status: number;
  // A test says what it expects of an answer; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: answers have every form there is
  readonly data: any;
  readonly errors:
    | readonly {
        readonly message: string;
        readonly path?: readonly (string | number)[];
        readonly extensions: { readonly code: string; readonly error?: { readonly name: string } };
      }[]
    | undefined;
  /** How many statements the app sent to its database meanwhile. */
  readonly statements: number;
  /** Their texts, one below the other, with those of heartbeats. */
  readonly sent: string;
}

/** An app of the corpus's content-types that answers GraphQL. */
export interface ServedGraphql extends CorpusApp {
  /** Sends an operation as somebody who may do everything, or, with `token: ""`, as the public. */
  send(query: string, options?: { readonly variables?: object; readonly token?: string }): Promise<GraphqlAnswer>;
}

/** Serves the content-types of the corpus app by GraphQL, empty. Stopped after the suite. */
export function serveGraphql(database: TestDatabase, extras: AppExtras = {}): () => ServedGraphql {
  const app = serveCorpusTypes(database, { ...extras, plugins: [graphqlPlugin, ...(extras.plugins ?? [])] });
  return () => ({
    ...app(),
    send: async (query, { variables, token } = {}) => {
      const { db } = app().plinth.app;
      const before = db.statementCount;
      const texts: string[] = [];
      const note = ({ pool, text }: DatabaseMessage) => void (pool === db.knex && texts.push(text));
      channels.db.start.subscribe(note);
      const body = { query, ...(variables ? { variables } : {}) };
      const answer = await app()
        .request("POST", "/graphql", { body, ...(token === undefined ? {} : { token }) })
        .finally(() => channels.db.start.unsubscribe(note));
      const sent = texts.join("\n");
      return { statements: db.statementCount - before, sent, status: answer.status, ...answer.body };
    },
  });
}
