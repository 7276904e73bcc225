import { camelCase, pascalCase } from "../../base/case.js";
import { assertName, type NewFile } from "./new-file.js";
import type { PartPlace } from "./part-owner.js";

/** A controller with one action. */
export function controllerFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import type { ControllerFactory } from "@plinth/core";

/** Routes name its actions: \`handler: "${name}.index"\`, or \`"${uid}.index"\` from elsewhere. */
const ${camelCase(name)}: ControllerFactory = ({ app }) => ({
  index: () => ({ data: { contentTypes: app.model.contentTypes.size } }),
});

export default ${camelCase(name)};
`;
  return [{ path: `${folder}/controllers/${name}.ts`, text }];
}

/** A controller of a content-type: its generated actions, and what the app makes of them. */
export function coreControllerFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import { createCoreController } from "@plinth/plugin-content-api";

/** The actions of ${uid}; one that is not here works as generated, and \`super\` calls the generated one. */
export default createCoreController("${uid}", () => ({
  async find(ctx, next) {
    return super.find?.(ctx, next);
  },
}));
`;
  return [{ path: `${folder}/controllers/${name}.ts`, text }];
}

/** A service with its type, so that \`app.service("...")\` is known to the compiler. */
export function serviceFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import type { Tools } from "@plinth/core";

/** What ${uid} does. */
export interface ${pascalCase(name)} {
  /** Uids of all content-types. */
  contentTypes(): readonly string[];
}

declare module "@plinth/core" {
  interface Services {
    "${uid}": ${pascalCase(name)};
  }
}

/** Made once, when it is first used: \`app.service("${uid}")\`. */
export default ({ app }: Tools): ${pascalCase(name)} => ({
  contentTypes: () => [...app.model.contentTypes.keys()],
});
`;
  return [{ path: `${folder}/services/${name}.ts`, text }];
}

/** The service of a content-type: what its endpoints call, and what the app adds to it. */
export function coreServiceFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import { createCoreService } from "@plinth/plugin-content-api";

/** What the endpoints of ${uid} call; a method named as a core one replaces it, and \`super\` calls the core's. */
export default createCoreService("${uid}", ({ app }) => ({
  /** How many documents there are, drafts included. */
  total: () => app.documents("${uid}").count(),
}));
`;
  return [{ path: `${folder}/services/${name}.ts`, text }];
}

/** A policy that rejects requests without credentials. */
export function policyFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import type { Policy } from "@plinth/core";

/** True lets a request pass, false answers it with 403. Routes name it: \`config: { policies: ["${uid}"] }\`. */
const ${camelCase(name)}: Policy = (ctx) => ctx.state.actor.kind !== "public";

export default ${camelCase(name)};
`;
  return [{ path: `${folder}/policies/${name}.ts`, text }];
}

/** A middleware that measures. */
export function middlewareFiles({ name, folder, uid }: PartPlace): readonly NewFile[] {
  const text = `import type { MiddlewareFactory } from "@plinth/core";

/** Named as "${uid}" in config/middlewares for every request, or in \`config: { middlewares: [...] }\` of a route. */
const ${camelCase(name)}: MiddlewareFactory = () => async (ctx, next) => {
  const start = performance.now();
  await next();
  ctx.set("Server-Timing", \`${name};dur=\${(performance.now() - start).toFixed(1)}\`);
};

export default ${camelCase(name)};
`;
  return [{ path: `${folder}/middlewares/${name}.ts`, text }];
}

/** A route to the \`index\` action of a controller of the same name. */
function routeFiles({ name, folder }: PartPlace): readonly NewFile[] {
  const text = `import type { Route } from "@plinth/core";

/**
 * Behind the REST prefix: GET /api/${name}. \`auth: false\` lets every caller in; without it, config/access decides.
 */
const routes: readonly Route[] = [
  { method: "GET", path: "/${name}", handler: "${name}.index", config: { auth: false } },
];

export default routes;
`;
  return [{ path: `${folder}/routes/${name}.ts`, text }];
}

/** An api of one's own, without a content-type: a route, its controller, and a service. */
export function apiFiles(place: PartPlace): readonly NewFile[] {
  return [...routeFiles(place), ...controllerFiles(place), ...serviceFiles(place)];
}

/**
 * A migration, whose name starts with the time in UTC: migrations run in the order of their names.
 *
 * @param name - what it does: `fill-slugs`.
 * @throws PLINTH_CLI_INVALID_NAME
 */
export function migrationFiles(name: string, now: Date): readonly NewFile[] {
  const time = now.toISOString().slice(0, 19).replace(/\D/g, "");
  const text = `import { defineMigration } from "@plinth/core";

export default defineMigration({
  // Runs before the tables change, on those of the version before; not on a new database. Remove it if nothing is to be prepared.
  async before(_knex) {},

  // Runs after the tables have changed, on new databases too: await knex("articles").whereNull("views").update({ views: 0 });
  async up(_knex) {},
});
`;
  return [{ path: `database/migrations/${time}-${assertName(name, "a migration")}.ts`, text }];
}
