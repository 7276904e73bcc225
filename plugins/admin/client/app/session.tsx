import { createContext, useContext } from "react";
import type { Boot } from "../../src/wire/boot.js";
import type { AttributeView, ComponentView, Model, TypeView } from "../../src/wire/model.js";

/** What every screen knows: who is signed in, and what there is. */
export interface Session extends Boot {
  readonly types: ReadonlyMap<string, TypeView>;
  readonly components: ReadonlyMap<string, ComponentView>;
}

/** Joins what the server told of the caller and of the content. */
export function createSession(boot: Boot, { types, components }: Model): Session {
  return {
    ...boot,
    types: new Map(types.map((type) => [type.uid, type])),
    components: new Map(components.map((component) => [component.uid, component])),
  };
}

const SessionContext = createContext<Session | undefined>(undefined);

/** Gives the session to what is inside. */
export const SessionProvider = SessionContext.Provider;

/** The session of the one who is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("There is no session around this.");
  return session;
}

const RenewContext = createContext<() => Promise<void>>(() => Promise.resolve());

/** Gives the way to ask anew who is signed in and what there is. */
export const RenewProvider = RenewContext.Provider;

/** Asks anew what the page started with, such as the languages of the content, without a reload. */
export const useRenewBoot = (): (() => Promise<void>) => useContext(RenewContext);

/** Whether the caller may do something with documents of a type. */
export function mayDo({ may }: Pick<Boot, "may">, uid: string, action: string): boolean {
  return may[uid]?.includes(action) ?? false;
}

/** Whether the caller may do something, by its whole name: `plugin::maps.edit`, `api::article.article.update`. */
export function mayAct(boot: Pick<Boot, "may" | "actions">, action: string): boolean {
  const end = action.lastIndexOf(".");
  return boot.actions.includes(action) || mayDo(boot, action.slice(0, end), action.slice(end + 1));
}

/** Attributes by name of a type or of a component. */
export function attributesOf(
  { types, components }: Pick<Session, "types" | "components">,
  uid: string,
): Readonly<Record<string, AttributeView>> {
  return (types.get(uid) ?? components.get(uid))?.attributes ?? {};
}
