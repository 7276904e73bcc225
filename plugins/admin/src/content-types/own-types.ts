import { invitationType } from "./invitation.js";
import { preferenceType } from "./preference.js";
import { roleType } from "./role.js";
import { sessionType } from "./session.js";
import { viewType } from "./view.js";
import { workingCopyType } from "./working-copy.js";

/** The content-types of the plugin, by their names. */
export const ownTypes = {
  invitation: invitationType,
  preference: preferenceType,
  role: roleType,
  session: sessionType,
  view: viewType,
  "working-copy": workingCopyType,
} as const;
