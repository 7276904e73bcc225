import { isOpen, SETTINGS, TOOLS } from "../../app/places.js";
import type { Session } from "../../app/session.js";

/** Address of the screen of a plugin; undefined where there is none, or none for the caller. */
export const screenOf = (session: Session, plugin: string): string | undefined =>
  [...TOOLS, ...SETTINGS].find((place) => place.plugin === plugin && isOpen(place, session))?.to;
