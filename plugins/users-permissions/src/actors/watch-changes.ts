import { type App, type RegisterContext, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { WATCHED } from "./actors.js";
import { actors } from "./actors-ref.js";

/** Invalidates cached users and roles after every change of their documents. */
export function watchChanges({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  const tell = async (event: WriteEvent): Promise<void> => {
    if (event.uid === USER) await tellUser(app, event);
    else await app.service(actors).rolesChanged();
  };
  for (const hook of [writeHooks.create.after, writeHooks.update.after, writeHooks.delete.before])
    on(hook, tell, { about: [USER, ...WATCHED] });
}

/** Read from the row, because the result of the write has only what the writer may see. */
async function tellUser(app: App, { documentId }: WriteEvent): Promise<void> {
  const user = await app.documents(USER).findFirst({ filters: { documentId }, fields: ["id"] });
  if (user) await app.service(actors).userChanged(user.id);
}
