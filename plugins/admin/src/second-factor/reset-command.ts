import type { Command } from "@plinth/core";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { AccountUnknownError } from "./errors.js";
import { secondFactors } from "./second-factors.js";

/** `plinth admin second-factor`: for an administrator who has lost it, where no other one can help. */
export const resetCommand: Command = {
  description: "take the second factor of an administrator away, and end the sessions",
  arguments: ["<email>"],
  run: async ({ app, arguments: { email = "" }, print }) => {
    const found = await app.documents(ADMINISTRATOR_TYPE).findFirst({ filters: { email: email.toLowerCase() } });
    if (!found) throw new AccountUnknownError({ email });
    const had = await app.service(secondFactors).reset({ documentId: found.documentId });
    print(had ? `${email} has no second factor any more.` : `${email} has no second factor.`);
  },
};
