import type { PlannedAction } from "../../../src/wire/plans.js";
import { mayDo, type Session } from "../../app/session.js";

/** What an account may do with documents of a type later. */
export const plannedActions = (session: Session, uid: string): readonly PlannedAction[] =>
  (["publish", "unpublish"] as const).filter((action) => mayDo(session, uid, action));
