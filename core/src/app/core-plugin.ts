import { onAct } from "../access/acts.js";
import { beforeGrant, transformGivenGrant } from "../access/assert-may-grant.js";
import { resolveActor } from "../access/resolve-actor.js";
import { documentHooks } from "../documents/hooks.js";
import { type AppDefinition, definePlugin, type Plugin } from "../kernel/plugin.js";
import { APP, qualify } from "../kernel/registries.js";
import { transformGrantProblems, transformPermissions } from "./permissions/permissions.js";
import type { AppSetup } from "./app-setup.js";
import { afterBuild } from "./after-build.js";
import { beforeSync } from "./collect-model.js";
import { beforeStop, onStart } from "./duty.js";
import { transformStartLines } from "./start-lines.js";

/**
 * What the core itself brings, as the first plugin: the hooks of documents, for every content-type that is declared, what
 * belongs to permissions, and the hooks of the synchronisation, of the start and of a build.
 */
export function createCorePlugin({ plugins, app = {} }: Pick<AppSetup, "plugins" | "app">): Plugin {
  const declared = plugins.flatMap(({ name, definition }) => uidsOf(name, definition));
  return definePlugin({
    name: "core",
    hooks: [
      ...documentHooks([...declared, ...uidsOf(APP, app)]),
      ...[
        transformPermissions,
        transformGrantProblems,
        resolveActor,
        onAct,
        beforeGrant,
        transformGivenGrant,
        beforeSync,
        onStart,
        beforeStop,
        transformStartLines,
        afterBuild,
      ],
    ],
  });
}

function uidsOf(owner: string, { contentTypes = {} }: AppDefinition): readonly string[] {
  return Object.keys(contentTypes).map((name) => qualify(owner, "content-type", name));
}
