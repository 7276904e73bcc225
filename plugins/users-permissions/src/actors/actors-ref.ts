import { implement, type ServiceRef, serviceRef } from "@plinth/core";
import { Actors } from "./actors.js";

/** The cached users and roles; of this plugin only. */
export const actors: ServiceRef<Actors> = serviceRef<Actors>("plugin::users-permissions.actors");

/** One per app. */
export const actorsImpl = implement(actors, { create: (_deps, { app }) => new Actors(app) });
