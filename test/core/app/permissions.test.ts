import { createPlinth, definePlugin, type PlinthApp, type Plugin } from "@plinth/core";
import { type PermissionEntry, transformPermissions } from "@plinth/core/access";
import { expect } from "chai";
import { pino } from "pino";
import { permissionsCommand } from "#core/cli/core-commands.js";
import { runCommand } from "../../run-command.js";

const FIND = "plugin::notes.note.find";
const own = { action: FIND, where: { text: { $ne: "{{now}}" }, at: { $lt: "{{now}}" } }, fields: ["text"] };

const notes = definePlugin({
  name: "notes",
  contentTypes: {
    note: {
      kind: "collectionType",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: { text: { type: "text" }, at: { type: "datetime" } },
    },
  },
  routes: [
    { method: "GET", path: "/ping", handler: "ping.pong" },
    { method: "GET", path: "/pong", handler: () => "pong", config: { auth: { scope: ["plugin::notes.special"] } } },
  ],
  controllers: { ping: () => ({ pong: () => "pong" }) },
  permissions: { reading: { public: [FIND], reader: "read" } },
  register({ on }) {
    on(transformPermissions, (entries) => [...entries, { role: "public", action: "kept", source: "database" }]);
  },
});

const started: PlinthApp[] = [];

async function start(config: Readonly<Record<string, unknown>>, others: readonly Plugin[] = []): Promise<PlinthApp> {
  const plinth = createPlinth({
    root: import.meta.dirname,
    plugins: [notes, ...others],
    config: { log: { level: "silent" }, database: { client: "pglite", directory: ":memory:" }, ...config },
  });
  started.push(plinth);
  await plinth.start({ listen: false });
  return plinth;
}

async function problemsOf(
  config: Readonly<Record<string, unknown>>,
  others: readonly Plugin[] = [],
): Promise<readonly string[]> {
  try {
    await start(config, others);
    return [];
  } catch (error) {
    const { code, details } = error as { code: string; details: { problems: { path: string; message: string }[] } };
    expect(code).to.equal("PLINTH_ACCESS_INVALID_PERMISSIONS");
    return details.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe("permissions of an app", () => {
  afterEach("stop the apps", () => Promise.all(started.splice(0).map((plinth) => plinth.stop())));

  it("come from its configuration and its plugins, and are listed by role and action with those of the database", async () => {
    const { app } = await start({ permissions: { public: ["plugin::notes.ping.pong"], author: [own] } });
    expect(app.permissions.roles()).to.deep.equal(["public", "reader", "author"]);
    expect(app.permissions.forRole("public")).to.deep.equal([FIND, "plugin::notes.ping.pong"]);
    const lines = await run(app, {});
    expect(lines).to.match(/^ROLE +ACTION +FROM +ROWS +FIELDS +SETS/);
    expect(lines).to.match(/\nreader +\*\.findOne +code +all +all +nothing\n/);
    expect(lines).to.match(/\nauthor +plugin::notes\.note\.find +code +\{"text".* +text +nothing\n/);
    const listed = JSON.parse(await run(app, { json: true, role: "public" })) as PermissionEntry[];
    expect(listed.map(({ action, source }) => `${action} ${source}`)).to.deep.equal([
      `${FIND} code`,
      "plugin::notes.ping.pong code",
      "kept database",
    ]);
  });

  it("may name every action that a route or a content-type asks for", async () => {
    const actions = ["plugin::notes.special", "plugin::notes.ping.*", "plugin::notes.note.delete", "*"];
    expect(await problemsOf({ permissions: { public: actions }, access: { public: [own] } })).to.deep.equal([]);
  });

  it("stop the start where they name what is not there, with all faults at once", async () => {
    const rule = (more: object) => ({ action: "plugin::notes.note.update", ...more });
    const told = await problemsOf({
      permissions: {
        a: ["plugin::notes.note.fnd", "plugin::nots.*", { action: "plugin::notes.nope.find" }],
        b: [rule({ fields: ["txt", "documentId"], where: { nope: 1 } })],
        c: [rule({ where: { at: "{{user.documentId}}" } })],
      },
      access: { tokens: { "a-long-secret": [{ action: FIND, where: { text: { $gone: 1 } } }] } },
    });
    expect(told.map((problem) => problem.split(". ")[0]?.split("? ")[0])).to.deep.equal([
      'permissions.a[0]: There is no action "plugin::notes.note.fnd"',
      'permissions.a[2].action: There is no content-type "plugin::notes.nope" to limit',
      'permissions.b[0].fields: plugin::notes.note has no attribute "txt"',
      "permissions.b[0].where: Invalid key nope",
      "permissions.c[0].where: Invalid format, expected a timestamp or an ISO date",
      "access.tokens.a-lo...[0].where: Invalid key $gone at text",
    ]);
    expect(told[0]).to.include('Did you mean "plugin::notes.note.find"?');
  });

  it("may have patterns that match nothing yet, which the log says and no start is refused for", async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const plinth = createPlinth({
      root: import.meta.dirname,
      plugins: [],
      log,
      config: {
        database: { client: "pglite", directory: ":memory:" },
        permissions: { public: ["api::*.find"], reader: "read" },
        access: { tokens: { "a-long-secret": ["api::*.create"] } },
      },
    });
    started.push(plinth);
    await plinth.start({ listen: false });
    const said = lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(said.filter((message) => message.includes("No action is like"))).to.deep.equal([
      'permissions.public[0]: No action is like "api::*.find" yet, so it grants nothing',
      'access.tokens.a-lo...[0]: No action is like "api::*.create" yet, so it grants nothing',
    ]);
  });

  it("stop the start where a rule is on what no rule can limit", async () => {
    const kept = { kind: "collectionType", attributes: { text: { type: "text" } } } as const;
    const types = definePlugin({
      name: "kept",
      contentTypes: {
        some: { ...kept, info: { singularName: "some", pluralName: "somes" }, options: { limitable: ["find"] } },
        none: { ...kept, info: { singularName: "none", pluralName: "nones" }, options: { limitable: [] } },
      },
    });
    const rules = ["some.find", "some.update", "none.find"].map((name) => ({
      action: `plugin::kept.${name}`,
      where: { text: "a" },
    }));
    expect(await problemsOf({ permissions: { a: rules } }, [types])).to.deep.equal([
      "permissions.a[1].action: a rule would have no effect on plugin::kept.some.update; of plugin::kept.some a rule can limit find. Grant the actions of its routes, or leave it out",
      "permissions.a[2].action: a rule would have no effect on plugin::kept.none.find; of plugin::kept.none no rule can limit what is done with it. Grant the actions of its routes, or leave it out",
    ]);
  });

  it("stop the start where they have the wrong form", async () => {
    expect(await problemsOf({ permissions: { public: "everything" } })).to.have.length(1);
  });

  it("say what is wrong with a grant that is to be kept elsewhere", async () => {
    const { app } = await start({});
    expect(app.permissions.problemsOf([{ action: FIND, fields: ["nope"] }], "token")[0]?.path).to.equal(
      "token[0].fields",
    );
    expect(app.permissions.problemsOf("read", "token")).to.deep.equal([]);
  });
});

/** What the command prints. */
async function run(app: PlinthApp["app"], options: Readonly<Record<string, unknown>>): Promise<string> {
  return (await runCommand(permissionsCommand, app, { options })).stdout;
}
