import { type RegisterContext, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { WATCHED } from "./actors.js";
import { actors } from "./actors-ref.js";

/** Forgets users and roles whenever their documents change, whoever changes them. */
export function watchChanges({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  const tell = async ({ uid, documents = [] }: WriteEvent): Promise<void> => {
    if (!WATCHED.has(uid)) return;
    if (uid !== USER) return await app.service(actors).rolesChanged();
    for (const { id } of documents) await app.service(actors).userChanged(id);
  };
  for (const stages of [writeHooks.create, writeHooks.update, writeHooks.delete]) on(stages.after, tell);
}
