import type { ActionName, LimitableAction } from "../../access/declared-actions.js";
import type { Rule } from "../../access/rule.js";
import type { FiltersOf } from "../../documents/typed/typed-documents.js";
import type { FieldName } from "../../documents/typed/params.js";
import type { ContentTypeUid, DeclaredShape } from "../../schema/declared-types.js";
import type { ConfigFile } from "../project/load-config.js";

type TypedRule<Uid extends ContentTypeUid> = {
  readonly [U in Uid]: {
    readonly action: LimitableAction<U>;
    readonly where?: FiltersOf<U>;
    readonly fields?: readonly (FieldName<DeclaredShape<U>> | PropertyKeyOf<U>)[];
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
