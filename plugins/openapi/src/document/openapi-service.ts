import type { Ability, App } from "@plinth/core";
import { LRUCache } from "lru-cache";
import { createAbility, EVERYTHING, NOTHING, transformPermissions, unlimited } from "@plinth/core/access";
import type { OpenApiConfig } from "../config.js";
import type { OpenApi, OpenApiDocument } from "../contract.js";
import { UnknownRoleError } from "../errors.js";
import { buildDocument } from "./build-document.js";
import { isOpenTo, listOperations, type Operation } from "./list-operations.js";

/** Documents that are kept; abilities that differ only in their rules on rows have documents of their own. */
const MOST_KEPT = 50;

/** Bytes of all documents that are kept, and what one takes for each character of its JSON. */
const MOST_BYTES = 32_000_000;
const BYTES_OF_CHARACTER = 5;

/**
 * Makes the service: routes and content model stay as they are while the app runs, so a document is written once.
 *
 * @param maxSize - bytes of all documents that are kept.
 */
export function createOpenApi(app: App, config: OpenApiConfig, maxSize = MOST_BYTES): OpenApi {
  const kept = new LRUCache<string, OpenApiDocument>({
    max: MOST_KEPT,
    maxSize,
    sizeCalculation: (document, key) => key.length + BYTES_OF_CHARACTER * JSON.stringify(document).length,
  });
  let operations: readonly Operation[] | undefined;
  return {
    document(ability = unlimited) {
      const known = kept.get(ability.key);
      if (known) return known;
      operations ??= listOperations(app.http.routes);
      const made = buildDocument(operations.filter(isOpenTo(ability)), app.model, config);
      kept.set(ability.key, made);
      return made;
    },
    abilityOfRole: (type) => abilityOfRole(app, type),
  };
}

async function abilityOfRole({ hooks, permissions }: App, type: string): Promise<Ability> {
  const entries = await hooks.waterfall(transformPermissions, permissions.list(), {});
  const actions = entries.filter(({ role }) => role === type).map(({ action }) => action);
  if (actions.length === 0) {
    throw new UnknownRoleError({ role: type, known: [...new Set(entries.map(({ role }) => role))] });
  }
  return createAbility(actions);
}

/** The actions that two abilities both allow; rules on rows and fields are no part of a description. */
export function bothOf(first: Ability, second: Ability): Ability {
  const can = (action: string) => first.can(action) && second.can(action);
  return { key: `${first.key}&${second.key}`, can, reachOf: (action) => (can(action) ? EVERYTHING : NOTHING) };
}
