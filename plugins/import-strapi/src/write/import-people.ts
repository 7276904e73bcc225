import type { App, LoadedVersion } from "@plinth/core";
import { type ContentModel, isRelation } from "@plinth/core/schema";
import type { TokenPermissions } from "@plinth/plugin-api-tokens";
import type { PermissionTree } from "@plinth/plugin-users-permissions";
import type { Issues } from "../issues.js";
import { type ExportedEntry, STRAPI } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";

const ROLES = "plugin::users-permissions.roles";

/** Uid of the API tokens of this server. */
const TOKEN_TYPE = "plugin::api-tokens.token";

/** Whether an app has the plugin whose tokens an export's would become. */
export const supportsTokens = (model: ContentModel): boolean => model.contentTypes.has(TOKEN_TYPE);

/** Roles of an app, and which permissions of an export they are to get. */
export class Grants {
  readonly #held = new Set<string>();
  #known: ReadonlySet<string> | undefined;

  /** Takes the roles of the app for those of the export that have their type, and gives them their document ids. */
  async prepare(app: App, index: ExportIndex): Promise<void> {
    if (!app.has("users-permissions")) return;
    const own = await app.documents(STRAPI.role).findMany({ fields: ["type"], populate: { permissions: true } });
    const byType = new Map(own.map((role) => [role["type"], role.documentId]));
    const here = new Map<string, string>();
    for (const entry of index.kept(STRAPI.role)) {
      const { data } = entry;
      const documentId = byType.get(data["type"]);
      if (documentId === undefined) continue;
      const isSame = await takeOver(app, { uid: STRAPI.role, documentId, entry });
      const kept = isSame ? String(data["documentId"]) : documentId;
      index.substitutes.set(String(data["documentId"]), kept);
      here.set(documentId, kept);
    }
    for (const role of own)
      for (const { action } of role["permissions"] as readonly { readonly action: string }[])
        this.#held.add(`${here.get(role.documentId) ?? role.documentId} ${action}`);
    this.#known = new Set(actionsOf(app.service(ROLES).permissionTree()));
  }

  /** Whether a permission is to be written: not one that its role has, nor one of an action that there is not. */
  accepts(version: LoadedVersion, issues: Issues): "write" | "present" | "left out" {
    const action = String(version.values["action"]);
    const role = version.links["role"]?.[0]?.documentId;
    if (role === undefined) return "left out";
    if (this.#known && !this.#known.has(action)) {
      issues.add(STRAPI.permission, `the action ${action} is left out: it does not exist here`);
      return "left out";
    }
    const key = `${role} ${action}`;
    if (this.#held.has(key)) return "present";
    this.#held.add(key);
    return "write";
  }

  /** Invalidates the cached permissions of roles. */
  async tell(app: App): Promise<void> {
    if (app.has("users-permissions")) await app.service(ROLES).invalidate();
  }
}

function actionsOf(tree: PermissionTree): readonly string[] {
  return Object.entries(tree).flatMap(([owner, { controllers }]) =>
    Object.entries(controllers).flatMap(([name, actions]) =>
      Object.keys(actions).map((action) => `${owner}.${name}.${action}`),
    ),
  );
}

/** API tokens of an export as entries of this server's type. Their keys are hashes of the same kind, made with the salt there. */
export function tokenEntries(index: ExportIndex): readonly ExportedEntry[] {
  const granted = (id: number): TokenPermissions =>
    index
      .kept(STRAPI.tokenPermission)
      .filter((permission) => index.tokenOf.get(permission.id) === id)
      .flatMap(({ data }) => (typeof data["action"] === "string" ? [data["action"]] : []));
  return index.kept(STRAPI.token).map(({ id, data }) => {
    const { encryptedKey: _key, lifespan: _lifespan, ...kept } = data;
    const permissions = data["type"] === "custom" ? granted(id) : null;
    return { type: TOKEN_TYPE, id, data: { ...kept, permissions } };
  });
}

/** A document that the app made itself, and the entry of the export that it stands for. */
interface Counterpart {
  readonly uid: string;
  /** Document id here. */
  readonly documentId: string;
  readonly entry: ExportedEntry;
}

/**
 * Gives a document that the app made at its first start, such as the role `public`, the document id and the times of the
 * export. One that has that id already was taken over by an earlier run, and stays as it is.
 *
 * @returns whether it has the id of the export now; false where relations lead to the type by links, which hold the id.
 */
export async function takeOver(app: App, { uid, documentId, entry: { data } }: Counterpart): Promise<boolean> {
  const wanted = String(data["documentId"]);
  if (wanted === documentId) return true;
  const references = listReferences(app, uid);
  if (references === undefined) return false;
  const times = { created_at: data["createdAt"], updated_at: data["updatedAt"], published_at: data["publishedAt"] };
  const given = Object.fromEntries(Object.entries(times).filter(([, time]) => time != null));
  const table = app.model.contentTypes.get(uid)?.table ?? "";
  await app.db.transaction(async () => {
    const tables = app.db.builder();
    await tables(table)
      .where({ document_id: documentId })
      .update({ document_id: wanted, ...given });
    for (const { table: referring, column } of references)
      await tables(referring).where(column, documentId).update(column, wanted);
  });
  return true;
}

interface Reference {
  readonly table: string;
  readonly column: string;
}

/** The columns that hold document ids of a type; undefined where something else does, too. */
function listReferences(app: App, uid: string): readonly Reference[] | undefined {
  const shapes = [...app.model.contentTypes.values(), ...app.model.components.values()];
  const relations = shapes.flatMap((shape) =>
    [...shape.attributes.values()].filter(isRelation).map((attribute) => ({ shape, attribute })),
  );
  const found: Reference[] = [];
  for (const { shape, attribute } of relations) {
    if (attribute.target !== uid || !["column", "links", "embedded"].includes(attribute.storage)) continue;
    const table = app.model.contentTypes.get(shape.uid)?.table;
    if (attribute.storage !== "column" || attribute.column === undefined || table === undefined) return undefined;
    found.push({ table, column: attribute.column });
  }
  return found;
}
