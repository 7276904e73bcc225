import type { App, Command, StartLine } from "@plinth/core";
import { accountMails } from "./account-mails.js";
import { invitations } from "./invitations.js";

/** Codes of links are in the fragment, which browsers keep for themselves: no log has it. */
const linkOf = (url: string, page: "welcome" | "invited", code: string): string => `${url}/admin/${page}#${code}`;

/** Adds the link for the first administrator to what the start prints, while there is none. */
export async function addWelcome(app: App, lines: readonly StartLine[], url: string): Promise<readonly StartLine[]> {
  const code = await app.service(invitations).welcomeCode();
  return code === undefined ? lines : [...lines, { name: "welcome", text: linkOf(url, "welcome", code) }];
}

/** `plinth admin invite`. */
export const inviteCommand: Command = {
  description: "print a link by which somebody becomes an administrator, once and within three days (`invitationLife`)",
  options: {
    "--email <address>": "whom it is for",
    "--role <name>": "super, editor, author, or one of your own (default: super)",
  },
  required: ["--email <address>"],
  run: async ({ app, options, print }) => {
    const { email, role = "super" } = options as Readonly<Record<string, string>>;
    const { code } = await app.service(invitations).invite({ email: email ?? "", role });
    print(linkOf(app.service(accountMails).url, "invited", code));
  },
};
