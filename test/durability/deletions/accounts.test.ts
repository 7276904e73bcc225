import { administrator, administratorRole, invitations, renamedRole, sharedWith } from "./administrator-races.js";
import { testDeletions } from "./race.js";
import { userRole } from "./role-races.js";

describe("accounts that are written while what they name is deleted:", () => {
  testDeletions([userRole, administrator, ...invitations, administratorRole, sharedWith, renamedRole]);
});
