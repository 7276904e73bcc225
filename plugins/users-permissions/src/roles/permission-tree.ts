import type { App } from "@plinth/core";
import { actionsOfType, DRAFT_ACTIONS, FIND_DRAFTS } from "@plinth/core/access";
import { actionOf, listRoutes } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import { isRecord } from "../body/check-body.js";
import type { PermissionTree, TreeLeaf } from "../contract.js";
import { refused } from "../errors.js";

/** What a role has of one action. */
export interface Granted {
  can(action: string): boolean;
  /** Whether code grants it; such a grant cannot be taken away here. */
  isFromCode(action: string): boolean;
}

/**
 * Lays actions out as the tree that administrators see.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export function buildTree(actions: readonly string[], granted: Granted): PermissionTree {
  const tree: Record<string, { controllers: Record<string, Record<string, TreeLeaf>> }> = {};
  for (const action of actions) {
    const [owner, controller, name] = partsOf(action);
    tree[owner] ??= { controllers: {} };
    const { controllers } = tree[owner];
    controllers[controller] = { ...controllers[controller], [name]: leafOf(action, granted) };
  }
  return tree;
}

function leafOf(action: string, { can, isFromCode }: Granted): TreeLeaf {
  return { enabled: can(action), policy: "", ...(isFromCode(action) ? { source: "code" } : {}) };
}

/**
 * Reads the enabled actions of a tree, or of parts of one.
 *
 * @param granted - what code grants the role: saying no to that is refused.
 * @throws PLINTH_USERS_REFUSED (400) for what is not a tree, an unknown action, or one that code grants
 */
export function parseTree(
  tree: unknown,
  known: readonly string[],
  granted: Pick<Granted, "isFromCode">,
): readonly string[] {
  const leaves = entriesOf(tree, "permissions").flatMap(([owner, inside]) =>
    entriesOf(isRecord(inside) ? inside["controllers"] : inside, owner).flatMap(([controller, actions]) =>
      entriesOf(actions, `${owner}.${controller}`).map(([name, leaf]) => ({
        action: `${owner}.${controller}.${name}`,
        isEnabled: isRecord(leaf) ? leaf["enabled"] : undefined,
      })),
    ),
  );
  for (const { action, isEnabled } of leaves) checkLeaf(action, isEnabled, known, granted);
  return leaves.filter(({ isEnabled }) => isEnabled === true).map(({ action }) => action);
}

function checkLeaf(
  action: string,
  isEnabled: unknown,
  known: readonly string[],
  granted: Pick<Granted, "isFromCode">,
): void {
  if (!known.includes(action)) throw refused(`There is no action ${action} that could be granted`);
  if (typeof isEnabled !== "boolean") throw refused(`${action} must be { "enabled": true } or { "enabled": false }`);
  if (!isEnabled && granted.isFromCode(action)) {
    throw refused(`${action} is granted by the app's code; take it away in config/permissions`);
  }
}

/** An empty list says as little as an empty object. */
function entriesOf(value: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value) && value.length === 0) return [];
  if (!isRecord(value)) throw refused(`${place} must be an object`);
  return Object.entries(value);
}

/** `api::article.article.find` in three; the owner has no dot. */
function partsOf(action: string): readonly [string, string, string] {
  const owner = ownerOf(action);
  const end = action.lastIndexOf(".");
  return [owner, action.slice(owner.length + 1, end), action.slice(end + 1)];
}

/**
 * Every action that a role can be granted: those of the content-types of the app, with or without routes, and those
 * that routes below the REST prefix ask for. In alphabetical order of their owners, each once.
 */
export function listKnownActions(app: App): readonly string[] {
  const types = [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
  const actions = new Set([...types.flatMap(actionsOf), ...actionsOfRoutes(app)]);
  return [...actions].sort((a, b) => compare(ownerOf(a), ownerOf(b)));
}

/** @source plugins/content-api/WIRE.md#actions */
function actionsOf(type: ContentType): readonly string[] {
  return actionsOfType(type).map((name) => `${type.uid}.${name}`);
}

/** Whether an action is one on the drafts of a content-type of the app. */
export function isDraftAction(action: string): boolean {
  return action.startsWith("api::") && [FIND_DRAFTS, ...DRAFT_ACTIONS].some((name) => action.endsWith(`.${name}`));
}

function actionsOfRoutes(app: App): readonly string[] {
  const routes = listRoutes(app.registry("route"), { app });
  return routes.flatMap((owned) => {
    const { type, config } = owned.route;
    if (type === "root" || config?.auth === false) return [];
    return config?.auth?.scope ?? actionOf(owned) ?? [];
  });
}

/** `api::article` of `api::article.article.find` */
function ownerOf(action: string): string {
  return action.slice(0, action.indexOf("."));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
