import { invitationType } from "./invitation.js";
import { roleType } from "./role.js";
import { authenticatorType, passkeyType, recoveryCodeType } from "./second-factor.js";
import { sessionType } from "./session.js";
import { workingCopyType } from "./working-copy.js";

/** The content-types of the plugin, by name. */
export const ownTypes = {
  ...{ invitation: invitationType, role: roleType, session: sessionType, "working-copy": workingCopyType },
  ...{ authenticator: authenticatorType, passkey: passkeyType, "recovery-code": recoveryCodeType },
};
