import { invitationType } from "./invitation.js";
import { preferenceType } from "./preference.js";
import { roleType } from "./role.js";
import { authenticatorType, passkeyType, recoveryCodeType } from "./second-factor.js";
import { sessionType } from "./session.js";
import { viewType } from "./view.js";
import { workingCopyType } from "./working-copy.js";

/** The content-types of the plugin, by name. */
export const ownTypes = {
  ...{ invitation: invitationType, role: roleType, session: sessionType, "working-copy": workingCopyType },
  ...{ preference: preferenceType, view: viewType },
  ...{ authenticator: authenticatorType, passkey: passkeyType, "recovery-code": recoveryCodeType },
};
