// Code of an app that is written for Strapi is found in its files, before it runs; what no text shows is found when it runs.
import { isPlinthError, loadProject } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { loadForTest, type ProjectFiles, startForTest, writeProject } from "../../../projects.js";

const SCHEMA = JSON.stringify({
  kind: "collectionType",
  info: { singularName: "order", pluralName: "orders" },
  attributes: { number: { type: "string" } },
});

const project = (files: ProjectFiles): string =>
  writeProject({
    "src/api/order/content-types/order/schema.json": SCHEMA,
    "config/plugins.ts": "export default {};",
    ...files,
  });

/** What the start of a project with these files says of Strapi's code; undefined where it says nothing. */
async function refusalOf(files: ProjectFiles): Promise<string | undefined> {
  const root = project(files);
  try {
    await loadProject({ root, code: root }, { environment: "development", variables: {} });
    return undefined;
  } catch (error) {
    if (isPlinthError(error) && error.code === "PLINTH_STRAPI_CODE") return error.message;
    throw error;
  }
}

const CONTROLLER = "src/api/order/controllers/order.ts";
const inController = (code: string) => ({
  [CONTROLLER]: `export default ({ app }) => ({\n  async find(ctx) {\n    ${code}\n  },\n});`,
});

describe("files of an app that are written for Strapi", () => {
  const forms: Readonly<Record<string, readonly [string, string]>> = {
    "const user = ctx.state.user;": ["`ctx.state.user`", "ctx.state.actor"],
    "const { user } = ctx.state;": ["`ctx.state.user`", "ctx.state.actor"],
    "const { user: me, isAuthenticated } = ctx.state": ["`ctx.state.user`", "`ctx.state.isAuthenticated`"],
    "if (!ctx.state.isAuthenticated) return null;": ["`ctx.state.isAuthenticated`", "ctx.state.actor"],
    "return ctx?.state?.auth;": ["`ctx.state.auth`", "ctx.state.actor"],
    'return ctx.badRequest("no");': ["`ctx.badRequest`", 'ctx.throw(400, "...")'],
    "return ctx.notFound();": ["`ctx.notFound`", 'ctx.throw(404, "...")'],
    "return ctx.internalServerError();": ["`ctx.internalServerError`", 'ctx.throw(500, "...")'],
    "ctx.send({ ok: true });": ["`ctx.send`", "return what the answer is"],
    "return ctx.created({ ok: true });": ["`ctx.created`", "ctx.status"],
    "const { id } = ctx.params;": ["`ctx.params.id`", "ctx.params.documentId"],
    "return app\n      .store({ type: 'plugin' });": ["`app.store`", "app.db.builder()"],
    "return app.entityService.findMany('api::order.order');": ["`app.entityService`", "app.documents(uid)"],
    "return app.contentType('api::order.order');": ["`app.contentType`", "app.model.contentTypes"],
    "return app.db.connection('orders');": ["`app.db.connection`", "app.db.builder()"],
    "return app.db.query('api::order.order').findMany();": ['`app.db.query("api::...")`', "app.documents(uid)"],
    "return this.sanitizeOutput({}, ctx);": ["`this.sanitizeOutput`", 'visibility: "caller"'],
    "return this.transformResponse({});": ["`this.transformResponse`", "{ data, meta: {} }"],
    "return app.plugins['email'].services.email;": ["`app.plugins[...]`", "app.plugin(name).service(name)"],
    "return strapi.documents('api::order.order').findMany();": ["`strapi`", "take `app`"],
  };
  for (const [code, [form, instead]] of Object.entries(forms)) {
    it(`are refused for ${code.replace(/\s+/g, " ")}`, async () => {
      const message = await refusalOf(inController(code));
      expect(message)
        .to.include(form)
        .and.include(instead)
        .and.match(/src\/api\/order\/controllers\/order\.ts:[34]/);
    });
  }

  it("are refused for an extension of a plugin that would never be read", async () => {
    const message = await refusalOf({
      "src/extensions/users-permissions/strapi-server.ts": "export default (plugin: object) => plugin;",
    });
    expect(message).to.match(/^src\/extensions\/users-permissions\/strapi-server\.ts uses an extension of a plugin/);
  });

  it("are listed with `strapi` where the same file imports packages of Strapi", async () => {
    const message = await refusalOf({
      [CONTROLLER]: `import { factories } from "@strapi/strapi";
export default factories.createCoreController("api::order.order", ({ strapi }) => ({
  find: () => strapi.documents("api::order.order").findMany(),
}));`,
      "src/policies/own.ts":
        "export default (ctx, _config, { strapi }: { strapi: Core.Strapi }) => strapi.log.info(ctx.path);",
    });
    const lines = message?.split("\n") ?? [];
    for (const place of [`${CONTROLLER}:1`, `${CONTROLLER}:2`, `${CONTROLLER}:3`, "src/policies/own.ts:1"])
      expect(lines).to.include(`  ${place}`);
  });

  it("are listed with all places at once, each form explained once", async () => {
    const message = await refusalOf({
      ...inController("if (!ctx.state.user) return ctx.unauthorized();\n    return ctx.state.user;"),
      "src/policies/own.ts": "export default (ctx, config, { strapi }) => strapi.log.info(ctx.state.user.id);",
      "src/services/mail.ts": 'import { errors } from "@strapi/utils";\nexport default () => errors;',
      "config/cron.js": "module.exports = { rules: {} };",
    });
    expect(message).to.match(/^Code is written as for Strapi in 8 places\./);
    const lines = message?.split("\n") ?? [];
    expect(lines.filter((line) => line.includes("`ctx.state.user`"))).to.have.length(1);
    for (const place of [
      `${CONTROLLER}:3`,
      `${CONTROLLER}:4`,
      "src/policies/own.ts:1",
      "src/services/mail.ts:1",
      "config/cron.js:1",
    ])
      expect(lines).to.include(`  ${place}`);
  });

  const allowed: Record<string, ProjectFiles> = {
    "comments and texts": inController(
      '// strapi.db.query(uid), ctx.state.user\n    /* ctx.badRequest() */\n    return "strapi.log and ctx.state.user";',
    ),
    "what is there here": inController(
      "const { user } = ctx.state.actor;\n    return [user, ctx.params.documentId, app.plugins, app.db.builder(), ctx.state.actor.user];",
    ),
    "a state that the app sets itself": {
      ...inController("return ctx.state.user;"),
      "src/middlewares/own.ts":
        "export default () => async (ctx, next) => {\n  ctx.state.user = { id: 1 };\n  await next();\n};",
    },
    "a parameter that a route of the app has": {
      ...inController("return ctx.params.id;"),
      "src/api/order/routes/order.ts":
        'export default [{ method: "GET", path: "/orders/:id/pay", handler: "order.find" }];',
    },
    "`app` that is called strapi": {
      [CONTROLLER]:
        "export default ({ app: strapi }) => ({ find: () => strapi.documents('api::order.order').findMany() });",
    },
    "a method that the app has itself": {
      [CONTROLLER]:
        "export default () => ({\n  validateQuery() {\n    return true;\n  },\n  find() {\n    return this.validateQuery();\n  },\n});",
    },
    "code of the admin page": { "src/admin/index.ts": "export default (app) => app.store.dispatch(ctx.state.user);" },
    "other objects of these names": inController(
      "const order = { ctx: { state: { user: 1 } } };\n    return order.ctx.state.user;",
    ),
  };
  const inFolder = (code: string) => ({ "src/own.ts": code });
  Object.assign(allowed, {
    "a local variable `exports`": inFolder(
      "export const read = async (exports = []) => {\n  exports = await exports;\n};",
    ),
    "another `app`": inFolder("const app = new Map();\nexport const read = ({ app: own }) => [app.store, own];"),
    "methods of a class": {
      "src/api/order/controllers/order.ts":
        "class Checks {\n  private validateInput(data: unknown) {\n    return data;\n  }\n  run(data: unknown) {\n    return this.validateInput(data);\n  }\n}\nexport default () => ({ find: () => new Checks().run(1) });",
    },
    "`ctx` of a bot": inFolder('export default (bot) => bot.on("message", (ctx) => ctx.send("hi"));'),
    "`context` of GraphQL": inFolder("export const name = (_root, _args, context) => context.state.user.name;"),
    "a client of Strapi of its own": inFolder(
      'import strapi from "./client.js";\nexport const all = () => strapi.find();',
    ),
    "a tool that is called strapi": inFolder("export const all = ({ strapi }: { strapi: Client }) => strapi.find();"),
    "texts with code": inFolder("export const help = `import x from '@strapi/utils'; module.exports = x; strapi.log`;"),
    "members of `ctx` of a middleware that it brings": {
      "package.json": '{ "type": "module", "dependencies": { "koa-jwt": "4.0.4" } }',
      ...inController("return ctx.state.user.sub;"),
    },
    "a state that is set as a whole": {
      ...inController("return ctx.state.user;"),
      "src/middlewares/own.ts":
        "export default () => (ctx, next) => {\n  Object.assign(ctx.state, { user: 1 });\n  return next();\n};",
    },
    "a parameter whose route is put together": {
      ...inController("return ctx.params.id;"),
      "src/api/order/routes/order.ts":
        'const ID = ":id";\nexport default [{ method: "GET", path: `/orders/${ID}`, handler: "order.find" }];',
    },
    "a policy for routes of plugins by `id`": {
      "src/policies/own.ts": "export default (ctx) => ctx.params.id !== '1';",
    },
  });
  for (const [name, files] of Object.entries(allowed)) {
    it(`may have ${name}`, async () => {
      expect(await refusalOf(files)).to.equal(undefined);
    });
  }
});

describe("code for Strapi that no text shows", () => {
  it("is refused when it runs, and answered with 500 where a policy would take undefined for nobody", async () => {
    const root = project({
      "src/index.ts": `export default {
  bootstrap({ app }) {
    app.documents("api::order.order");
  },
};`,
      "src/policies/own.ts": 'export default (ctx) => {\n  const state = ctx["state"];\n  return !state["user"];\n};',
      "src/api/order/controllers/order.ts": `export default ({ app }) => {
  const named = (holder, name) => holder[name];
  return {
    state: (ctx) => named(ctx["state"], "auth"),
    send: (ctx) => named(ctx, "send")({}),
    teapot: (ctx) => named(ctx, "imATeapot")(),
    store: () => named(app, "store")({}),
    connection: () => named(app.db, "connection")("orders"),
    id: (ctx) => named(ctx["params"], "id") ?? null,
    own: (ctx) => {
      ctx["state"]["user"] = { id: 1 };
      return { data: named(ctx["state"], "user") };
    },
  };
};`,
      "src/api/order/routes/order.ts": `const open = { auth: false };
const named = ["state", "send", "teapot", "store", "connection", "own"];
export default [
  { method: "GET", path: "/policy", handler: "order.own", config: { ...open, policies: ["global::own"] } },
  { method: "GET", path: "/by/:documentId", handler: "order.id", config: open },
  ...named.map((name) => ({ method: "GET", path: "/" + name, handler: "order." + name, config: open })),
];`,
    });
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const { plinth, url } = await startForTest({ ...(await loadForTest(root)), log });
    try {
      for (const path of ["policy", "state", "send", "teapot", "store", "connection", "by/x"]) {
        const response = await fetch(`${url}/api/${path}`);
        expect(response.status, `${path} ${await response.text()}`).to.equal(500);
      }
      const said = lines.filter((line) => line.includes("PLINTH_STRAPI_CODE")).join("\n");
      for (const form of [
        "ctx.state.user",
        "ctx.state.auth",
        "ctx.send",
        "ctx.imATeapot",
        "app.store",
        "app.db.connection",
      ])
        expect(said).to.include(`\`${form}\`, as Strapi's code does`);
      expect(said).to.match(/policies\/own\.ts:3 uses `ctx\.state\.user`/);
      expect(await (await fetch(`${url}/api/own`)).json()).to.deep.equal({ data: { id: 1 } });
    } finally {
      await plinth.stop();
    }
  });

  it("asks for `id` of the parameters where a route of the app has that", async () => {
    const root = project({
      "src/api/order/controllers/order.ts":
        "export default () => ({ id: ({ params }) => ({ data: params.id ?? null }) });",
      "src/api/order/routes/order.ts": `const to = (path) => ({ method: "GET", path, handler: "order.id", config: { auth: false } });
export default [to("/by/:documentId"), to("/with/:id")];`,
    });
    const { plinth, url } = await startForTest(await loadForTest(root));
    try {
      expect(await (await fetch(`${url}/api/with/7`)).json()).to.deep.equal({ data: "7" });
      expect(await (await fetch(`${url}/api/by/7`)).json()).to.deep.equal({ data: null });
    } finally {
      await plinth.stop();
    }
  });
});
