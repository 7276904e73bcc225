import type { ConnectionOptions } from "node:tls";
import * as v from "@plinth/core/valibot";
import { engines } from "./engine.js";
import { hostsOf, isConnectionUrl } from "./host-list.js";
import { allowed, noList, option, options, secret, text, whole } from "../../base/options/values.js";

/** Settings of a session that both databases share. */
export const sessionOptions = {
  statementTimeout: option(
    whole(0),
    "Milliseconds after which a statement is stopped, time that it waits for locks included; 0 for never.",
    10_000,
  ),
  schema: option(text("public"), "Schema (namespace) of all tables; `public` by default."),
  slowStatement: option(
    whole(0),
    "Milliseconds, the wait for its connection included, after which a statement is logged as slow; 0 for never.",
    500,
  ),
  preparedStatements: option(
    v.union([v.boolean(), whole(0)]),
    "Whether statements get names; a number is the most names per connection. Behind a pooler by transaction they get none unless it is set; pgbouncer can pass names on from version 1.21.",
    200,
  ),
  shareReads: option(v.boolean(), "Whether equal reads at the same time share a statement (request coalescing).", true),
};

/** The embedded database. */
export const pgliteConfig = v.strictObject({
  client: v.literal("pglite"),
  directory: v.pipe(
    text(".plinth/data"),
    v.description("Data directory, made when missing; `:memory:` keeps everything in this process."),
  ),
  acquireTimeout: option(whole(1), "Milliseconds a caller waits for the one connection.", 10_000),
  ...sessionOptions,
});

const address = options({
  host: v.optional(text("127.0.0.1")),
  port: v.optional(whole(1, 65_535)),
  database: v.optional(text("blog")),
  user: v.optional(text("blog")),
  password: v.optional(
    v.pipe(
      v.union([v.string(), v.custom<() => string | Promise<string>>((value) => typeof value === "function")]),
      allowed("a string, or a function that returns it"),
    ),
  ),
  ssl: v.optional(
    v.pipe(
      v.union([v.boolean(), v.custom<ConnectionOptions>((value) => typeof value === "object" && value !== null)]),
      allowed("true, false or options of tls.connect"),
    ),
  ),
});

/** Connections of a PostgreSQL server. */
export const poolOptions = v.strictObject({
  min: option(whole(0), "Connections that are kept open.", 0),
  max: option(whole(1), "Connections that are open at most.", 10),
  acquireTimeout: option(whole(1), "Milliseconds a caller waits for a free connection.", 3_000),
  maxLifetime: option(
    whole(0),
    "Milliseconds after which a connection is replaced, and up to a tenth more, so that not all are at once; 0 for never. New passwords, names and addresses are in use after that time.",
    1_800_000,
  ),
});

const connection = v.pipe(
  v.union([v.pipe(v.string(), v.check(isConnectionUrl)), address]),
  secret(),
  allowed("postgres://user:password@host:port/database, with several hosts after commas, or an object with its parts"),
  v.description(
    "Several hosts after commas (`postgres://app@db1,db2:5433/blog`): the one that takes writes is found and used. Or an object with the parts `host`, `port`, `database`, `user`, `password` (a string, or a function that is called for each connection, such as `env.file` makes) and `ssl`: true for TLS with a checked certificate, or options of Node's `tls.connect`.",
  ),
);

/** Who hands out the sessions of a server: itself, or a program in front of it. */
export const poolers = ["none", "session", "transaction"] as const;

const replicaUrl = v.pipe(
  v.string(),
  v.check((url) => isConnectionUrl(url) && hostsOf(url).length === 0),
  allowed("postgres://user:password@host:port/database, of one server"),
);

const replicasOptions = v.strictObject({
  at: v.pipe(
    v.union([v.literal("hosts"), v.array(replicaUrl)]),
    secret(),
    allowed('a list of postgres://user:password@host:port/database with one server each, or "hosts"'),
    v.description(
      "One URL for each replica; `hosts`: whichever servers of `connection` are standbys. `replicas: [...]` is short for `replicas: { at: [...] }`.",
    ),
  ),
  readers: option(
    v.picklist(["public", "all"]),
    "Whose reads they answer: of those who did not sign in, or of everybody.",
    "public",
  ),
  wait: option(
    whole(0),
    "Milliseconds that a read waits for a replica to see its writer's writes; then the primary answers.",
    100,
  ),
  maxLag: option(whole(100), "Milliseconds that a replica may be behind and still be used.", 10_000),
  alone: option(whole(0), "Milliseconds that the public goes on to read without a primary.", 60_000),
  position: option(
    v.picklist(["lsn", "aurora", "time"]),
    "How it is known what a replica has seen. `time`: no replica is used for `maxLag` after a write of the process.",
    "lsn",
  ),
});

type ReplicaAddresses = "hosts" | readonly string[];
type ReplicasInput = Omit<v.InferInput<typeof replicasOptions>, "at"> & { readonly at: ReplicaAddresses };

/** Servers that follow the primary, and who reads from them; a list or "hosts" stands for `{ at: ... }`. */
export const replicasConfig = v.pipe(
  v.custom<ReplicasInput | ReplicaAddresses>((value) => typeof value === "object" || value === "hosts"),
  allowed('a list of postgres://user:password@host:port/database, "hosts", or an object with that as `at`'),
  v.transform((value) => (typeof value === "string" || Array.isArray(value) ? { at: value } : value)),
  replicasOptions,
);

/** A PostgreSQL server, version 13 or newer. */
export const postgresConfig = v.strictObject({
  client: v.literal("postgres"),
  connection,
  pool: v.optional(noList(poolOptions), {}),
  pooler: option(
    v.picklist(poolers),
    "What is at the address: the server (`none`), or a pooler such as pgbouncer that hands out sessions for a `session` or a `transaction`. Behind a pooler, settings of sessions are those of the role: `plinth database settings --apply`.",
    "none",
  ),
  listen: v.optional(
    v.pipe(
      connection,
      v.description(
        "The address of the server itself, past the pooler, for messages between processes and schema changes.",
      ),
    ),
  ),
  replicas: v.optional(replicasConfig),
  engine: v.optional(
    v.pipe(
      v.picklist(engines),
      v.description("What runs the statements; by default found by the extensions of the database."),
    ),
  ),
  connectTimeout: option(whole(1), "Milliseconds that opening a connection may take.", 5_000),
  ...sessionOptions,
});

/** What config/database may hold. */
export const databaseConfig = noList(v.variant("client", [pgliteConfig, postgresConfig]));

/** Settings of a session that both databases share. */
export type SessionOptions = Readonly<v.InferInput<v.StrictObjectSchema<typeof sessionOptions, undefined>>>;
/** The embedded database. */
export type PgliteConfig = Readonly<v.InferInput<typeof pgliteConfig>>;
/** A PostgreSQL server. */
export type PostgresConfig = Readonly<v.InferInput<typeof postgresConfig>>;
/** Servers that follow the primary, with every default filled in. */
export type ReplicasConfig = Readonly<v.InferOutput<typeof replicasOptions>>;
/** Where a PostgreSQL server is and who connects. */
export type PostgresAddress = Readonly<v.InferInput<typeof address>>;
