// What Strapi's objects have and ours have not: each with what to write instead.
import { STATUS_CODES } from "node:http";
import { camelCase } from "./case.js";
import { strapiCodeAt } from "./strapi-code.js";

/** The objects of Strapi that have namesakes here, as code of apps calls them. */
export type StrapiHolder = "app" | "app.db" | "ctx" | "ctx.state" | "ctx.params" | "this";

/** Member -> what to write instead. */
export type StrapiMembers = Readonly<Record<string, string>>;

const ACTOR =
  "write `ctx.state.actor`: `{ kind, user, ability }`, whose `user` is `{ id, documentId }`, or undefined without one.";
const MODEL = "read `app.model.contentTypes` and `app.model.components`: `app.model.contentTypes.get(uid)`.";
const DOCUMENTS =
  "read and write by `app.documents(uid)`, which has findMany, findFirst, findOne, count, create, update and delete.";
const RETURN = "return what the answer is; for another status than 200 set `ctx.status` before.";
const PARTS = "write `app.service(uid)`, or `app.registry(kind).get(uid)` for a controller, policy or middleware.";
const SANITIZE =
  'leave it out: reads of code return nothing private, and with `visibility: "caller"` what the caller may see and no more.';

/** `ctx.badRequest("...")` and the like: one for each status of an error. */
const ERRORS: StrapiMembers = Object.fromEntries(
  Object.entries(STATUS_CODES).flatMap(([status, text = ""]) =>
    Number(status) < 400
      ? []
      : [
          [
            camelCase(text.replace("'", "")),
            `write \`ctx.throw(${status}, "...")\`, or throw an error of createError.`,
          ],
        ],
  ),
);

/** By holder; `this` is a controller. */
export const STRAPI_MEMBERS: Readonly<Record<StrapiHolder, StrapiMembers>> = {
  app: {
    entityService: DOCUMENTS,
    query: DOCUMENTS,
    store: "keep what an app remembers in a content-type of its own, or in a table by `app.db.builder()`.",
    contentType: MODEL,
    contentTypes: MODEL,
    components: MODEL,
    getModel: MODEL,
    models: MODEL,
    controller: PARTS,
    controllers: PARTS,
    services: PARTS,
    policies: PARTS,
    api: PARTS,
    apis: PARTS,
    contentAPI: SANITIZE,
    sanitizers: SANITIZE,
    validators: SANITIZE,
    cron: 'define a job in `register`, and start it by the clock: `extension(jobs).cron(name, "0 3 * * *")`.',
    eventHub: "listen in `register`: `on(writeHooks.create.on, ({ uid, documents }) => ...)`.",
    server: "declare routes in files of `routes`, or by `route` in `register` of a plugin.",
    requestContext: "pass `ctx` on; `currentOrigin()` of @plinth/core says which request runs.",
    dirs: "write `app.root` for the folder of the app.",
    fetch: "write the global `fetch`.",
  },
  "app.db": {
    connection: "write `app.db.builder()`, a knex that joins the transaction.",
    getConnection: "write `app.db.builder()`, a knex that joins the transaction.",
    lifecycles: "listen in `register`: `on(writeHooks.create.before, ({ data }) => ..., { about: [uid] })`.",
    metadata: MODEL,
    entityManager: DOCUMENTS,
  },
  ctx: { send: RETURN, created: RETURN, deleted: RETURN, ...ERRORS },
  "ctx.state": { user: ACTOR, auth: ACTOR, isAuthenticated: ACTOR, userAbility: ACTOR },
  "ctx.params": { id: "write `ctx.params.documentId`: generated routes name documents by that." },
  this: {
    sanitizeOutput: SANITIZE,
    sanitizeQuery: SANITIZE,
    sanitizeInput: SANITIZE,
    validateQuery: SANITIZE,
    validateInput: SANITIZE,
    transformResponse: "return `{ data, meta: {} }`.",
  },
};

/**
 * An object whose members of Strapi throw an error that says what to write, where it has none of their names. Code of an
 * app may set them.
 *
 * @throws PLINTH_STRAPI_CODE (500) when one is read
 */
export function refuseStrapiMembers<T extends object>(target: T, holder: StrapiHolder): T {
  for (const [name, instead] of Object.entries(STRAPI_MEMBERS[holder])) {
    if (name in target) continue;
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        throw strapiCodeAt(`\`${holder}.${name}\``, instead);
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
  return target;
}
