import type { Actor } from "../../access/ability.js";
import { type AccessConfig, parseAccessConfig, tokenPath } from "../../access/access-config.js";
import type { AccessProblem } from "../../access/check-grant.js";
import { InvalidPermissionsError } from "../../access/errors.js";
import { actionOfItem, type Grant, grantItems } from "../../access/grant.js";
import { type GrantSource, parsePermissions } from "../../access/permissions.js";
import type { Rule } from "../../access/rule.js";
import type { ActionName, LimitableAction } from "../../access/type-actions.js";
import type { FieldName } from "../../documents/typed/params.js";
import type { FiltersOf } from "../../documents/typed/typed-documents.js";
import type { OwnedRoute } from "../../http/route.js";
import type { App } from "../../kernel/app.js";
import { hook } from "../../kernel/hook.js";
import type { ContentTypeUid, DeclaredShape } from "../../schema/declared-types.js";
import type { ContentModel } from "../../schema/model.js";
import type { ConfigFile } from "../project/load-config.js";
import { checkNames, listActions, unmatchedPatterns } from "./check-names.js";

/** One action that a role has. */
export interface PermissionEntry {
  /** Type of the role: `public`. */
  readonly role: string;
  readonly action: string;
  readonly source: "code" | "database";
  /** The rule's filter, where the action reaches some rows only. */
  readonly where?: Rule["where"];
  /** The rule's attributes, where it reaches some only. */
  readonly fields?: Rule["fields"];
  /** What the rule sets in every write. */
  readonly set?: Rule["set"];
}

/** What code grants to roles: config/permissions, and the `permissions` of plugins. */
export interface Permissions {
  /** What code grants to the role of a type; undefined for no grant. */
  forRole(type: string): Grant | undefined;
  /** The types of all roles with grants by code. */
  roles(): readonly string[];
  /** Everything that code grants, in the order in which it is written. */
  list(): readonly PermissionEntry[];
  /**
   * Whether an action has been granted by its name, not by a pattern, to any role or fixed token. Where `publish` of a
   * type has been, every write that publishes asks for it.
   */
  isNamed(action: string): boolean;
  /** Adds actions that a role is granted elsewhere, such as in the database. */
  noteNamed(actions: Iterable<string>): void;
  /** Every action that can be granted; once everything has started. */
  actions(): ReadonlySet<string>;
  /**
   * What is wrong with a grant, such as one that is to be kept in the database: its form, and names that do not exist.
   * Actions are known once everything has started.
   *
   * @param path - of the grant, for the problems.
   * @param kind - of the actors that get it: rules of `admin` may name `createdBy` and `updatedBy`. Default: others.
   */
  problemsOf(grant: Grant, path: string, kind?: Actor["kind"]): readonly AccessProblem[];
  /** The patterns of a grant, checked before, that match no action. */
  unmatchedIn(grant: Grant, path: string): readonly AccessProblem[];
}

/** The sources of permissions. */
export interface PermissionTargets {
  readonly model: ContentModel;
  /** All routes, once they are known. */
  routes(): readonly OwnedRoute[];
}

/** Adds what is granted elsewhere, such as in the database, to the list of permissions that people look at. */
export const transformPermissions = hook.waterfall<readonly PermissionEntry[], object>(
  "permissions:transformList",
  "The list of permissions that `plinth permissions` shows; who keeps grants elsewhere adds them.",
);

/** Adds what is wrong with grants that a plugin keeps in its own configuration; any problem stops the start. */
export const transformGrantProblems = hook.waterfall<readonly AccessProblem[], object>(
  "permissions:transformProblems",
  "Problems of grants, before the server listens: every action that can be granted is known then.",
);

/** Reads what the app and its plugins grant; names are checked later. @throws PLINTH_ACCESS_INVALID_PERMISSIONS (500) */
export function createPermissions(app: App, { model, routes }: PermissionTargets): Permissions {
  const roles = parsePermissions(sourcesOf(app));
  const named = new Set(
    [...roles.values(), ...configuredGrants(app)].flatMap((grant) => grantItems(grant)).map(actionOfItem),
  );
  const actions = () => listActions(model, routes());
  return {
    forRole: (type) => roles.get(type),
    roles: () => [...roles.keys()],
    list: () => [...roles].flatMap(([role, grant]) => entriesOf(role, grant)),
    isNamed: (action) => named.has(action),
    noteNamed: (noted) => {
      for (const action of noted) named.add(action);
    },
    actions,
    problemsOf: (grant, path, kind) =>
      checkNames({ model, actions: actions(), isAdmin: kind === "admin" }, grant, path),
    unmatchedIn: (grant, path) => unmatchedPatterns({ actions: actions() }, grant, path),
  };
}

/**
 * Checks that what code grants to roles, the public and tokens exists. A pattern that matches nothing yet is a warning.
 *
 * @throws PLINTH_ACCESS_INVALID_PERMISSIONS (500) with every problem
 */
export async function assertPermissions(app: App, permissions: Permissions): Promise<void> {
  const { public: everyone, tokens }: AccessConfig = parseAccessConfig(app.config.get("access"));
  const grants: readonly (readonly [Grant, string])[] = [
    ...permissions.roles().map((role) => [permissions.forRole(role) ?? "none", `permissions.${role}`] as const),
    [everyone, "access.public"],
    ...Object.entries(tokens).map(([token, grant]) => [grant, tokenPath(token)] as const),
  ];
  const own = grants.flatMap(([grant, path]) => permissions.problemsOf(grant, path));
  const problems = await app.hooks.waterfall(transformGrantProblems, own, {});
  if (problems.length > 0) throw new InvalidPermissionsError({ problems });
  for (const { path, message } of grants.flatMap(([grant, path]) => permissions.unmatchedIn(grant, path)))
    app.log.warn({ path }, `${path}: ${message} yet, so it grants nothing`);
}

function configuredGrants(app: App): readonly Grant[] {
  const { public: everyone, tokens } = parseAccessConfig(app.config.get("access"));
  return [everyone, ...Object.values(tokens)];
}

/** A role's grants as entries of the list, one an action. */
function entriesOf(role: string, grant: Grant): readonly PermissionEntry[] {
  return grantItems(grant).map((item) =>
    typeof item === "string" ? { role, action: item, source: "code" } : { role, ...item, source: "code" },
  );
}

/** The app comes last, as everywhere. */
function sourcesOf(app: App): readonly GrantSource[] {
  const own = { name: "permissions", grants: app.config.get("permissions") };
  const plugins = app.registry("permissions").entries();
  return [...plugins.map(([name, grants]) => ({ name, grants })), own];
}

type TypedRule<Uid extends ContentTypeUid> = {
  readonly [U in Uid]: {
    readonly action: LimitableAction<U>;
    readonly where?: FiltersOf<U>;
    readonly fields?: readonly (FieldName<DeclaredShape<U>> | PropertyKeyOf<U>)[];
    readonly set?: { readonly [Name in PropertyKeyOf<U>]?: unknown };
  };
}[Uid];

type PropertyKeyOf<Uid extends ContentTypeUid> =
  DeclaredShape<Uid> extends { readonly attributes: infer A } ? keyof A & string : never;

/** An action, a pattern such as `api::article.*`, or an action on some rows and attributes. */
export type PermissionItem =
  | ActionName
  | `${string}*${string}`
  | ([ContentTypeUid] extends [never] ? Rule : TypedRule<ContentTypeUid>);

/** What `config/permissions` says, by the type of the role. */
export type PermissionsConfig = Readonly<Record<string, "none" | "read" | "all" | readonly PermissionItem[]>>;

/** Marks `config/permissions`; with generated types, the compiler knows its actions, filters and attributes. */
export function definePermissions(config: ConfigFile<PermissionsConfig>): ConfigFile<PermissionsConfig> {
  return config;
}
