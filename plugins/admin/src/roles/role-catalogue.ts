import type { Ability, App } from "@plinth/core";
import { actionsOfType } from "@plinth/core/access";
import type { ContentType } from "@plinth/core/schema";
import { admin } from "../contract.js";
import { labelOf } from "../model/attribute-view.js";
import { modelViews } from "../model/model-views.js";
import type { PageExtensions } from "../page/page-extensions.js";
import type { PageAction, RoleType } from "../wire/roles.js";

/** Actions that read or write attributes. @source core/src/access/type-actions.ts */
const WITH_FIELDS = ["find", "findOne", "create", "update"];

/** The content-types that roles are about: those that the page shows, and files. */
export function listTypes(app: App): readonly RoleType[] {
  const { contentTypes, fileType } = app.model;
  const uids = [...new Set([...app.service(modelViews).uids(), ...(fileType === undefined ? [] : [fileType])])];
  return uids.flatMap((uid) => {
    const type = contentTypes.get(uid);
    return type ? [viewOf(app, type)] : [];
  });
}

function viewOf(app: App, type: ContentType): RoleType {
  const { uid, kind, displayName, isLocalized, options } = type;
  const named = actionsOfType(type);
  const actions = kind === "singleType" ? named : [...new Set(["find", "findOne", ...named])];
  const { limitable } = options;
  return {
    ...{ uid, label: displayName, isLocalized, actions, fields: fieldsOf(app, type) },
    limitable: Array.isArray(limitable) ? actions.filter((name) => limitable.includes(name)) : actions,
    withFields: actions.filter((name) => WITH_FIELDS.includes(name)),
  };
}

/** Fields as forms call them; of a type that has no form, as schemas do. */
function fieldsOf(app: App, { uid, attributes }: ContentType): RoleType["fields"] {
  const view = app.service(modelViews).find(uid);
  if (view) return Object.entries(view.attributes).map(([name, { label }]) => ({ name, label }));
  return [...attributes.keys()].map((name) => ({ name, label: labelOf(name) }));
}

/** The actions of the page and of plugins, and which of them the caller may give. */
export function listPageActions(app: App, ability: Ability): readonly PageAction[] {
  const actions = (app.extension(admin) as PageExtensions).listActions();
  return Object.entries(actions).map(([name, text]) => ({ name, text, mayGive: ability.can(name) }));
}
