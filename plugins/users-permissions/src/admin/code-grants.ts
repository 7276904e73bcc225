import type { App } from "@plinth/core";
import { createAbility, type Grant } from "@plinth/core/access";
import type { CodeGrants } from "@plinth/plugin-admin";

/**
 * What code grants a role, place by place, so that a reader knows where to change it.
 *
 * @param type - of the role: `public`.
 * @param known - every action that can be granted.
 */
export function codeGrantsOf(app: App, type: string, known: readonly string[]): readonly CodeGrants[] {
  const plugins = app.registry("permissions").entries();
  const places = [...plugins, ["config/permissions", Object(app.config.get("permissions"))] as const];
  return places.flatMap(([source, grants]) => {
    const byRole = grants as Readonly<Record<string, Grant>>;
    const grant = Object.hasOwn(byRole, type) ? byRole[type] : undefined;
    return grant === undefined ? [] : [grantsOf(source, grant, known)];
  });
}

function grantsOf(source: string, grant: Grant, known: readonly string[]): CodeGrants {
  const ability = createAbility(grant);
  const rules = Array.isArray(grant) ? grant.filter((item) => typeof item !== "string") : [];
  return { source, actions: known.filter((action) => ability.can(action)), rules };
}
