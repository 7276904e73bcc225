import {
  type Ability,
  type App,
  type Author,
  currentOrigin,
  findActor,
  type WriteActor,
  type WriteOrigin,
} from "@plinth/core";
import type { Caller } from "./contract.js";
import { CallerGoneError, NobodyError } from "./errors.js";

/** What operations of documents take of a caller, and where they come from; no ability and author for code. */
export interface Acting {
  readonly ability?: Ability;
  readonly author?: Author;
  readonly origin: WriteOrigin;
}

/** A caller as operations of documents take them. */
export function actingAs({ actor }: Caller): Acting {
  const { ability, user, kind } = actor ?? {};
  return {
    ...(ability ? { ability } : {}),
    // Administrators are the authors of content, users are not.
    ...(user && kind === "admin" ? { author: { id: user.id } } : {}),
    origin: originFor(actor && nameOf(actor)),
  };
}

/** What is done for somebody, by a request or later by a job. */
export const originFor = (actor: WriteActor | null | undefined): WriteOrigin => ({
  ...currentOrigin(),
  ...(actor ? { actor } : {}),
});

const nameOf = ({ kind, user, id }: NonNullable<Caller["actor"]>): WriteActor => ({ kind, id: user?.documentId ?? id });

/** By which a caller is found again; null for code. @throws PLINTH_SCHEDULE_NOBODY (400) for one who never will be */
export async function nameToKeep(app: App, { actor }: Caller): Promise<WriteActor | null> {
  if (!actor) return null;
  const name = nameOf(actor);
  if (!(await findActor(app, name))) throw new NobodyError({ kind: actor.kind });
  return name;
}

/** Who a caller is now. @throws PLINTH_SCHEDULE_CALLER_GONE (403) */
export async function callerNow(app: App, name: WriteActor | null): Promise<Caller> {
  if (name === null) return {};
  const actor = await findActor(app, name);
  if (!actor) throw new CallerGoneError({});
  return { actor };
}

/** Whether a name is that of the caller. */
export function isSame(name: WriteActor | null, { actor }: Caller): boolean {
  if (!name || !actor) return false;
  const own = nameOf(actor);
  return own.id !== undefined && own.kind === name.kind && own.id === name.id;
}
