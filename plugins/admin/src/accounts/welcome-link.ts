import type { App, Command, StartLine } from "@plinth/core";
import { invitations } from "./invitations.js";

/** The link of an invitation. The code is in the fragment, which browsers keep for themselves: no log has it. */
const welcomeLink = (url: string, code: string): string => `${url}/admin/welcome#${code}`;

/** Adds the link for the first administrator to what the start prints, while there is none. */
export async function addWelcome(app: App, lines: readonly StartLine[], url: string): Promise<readonly StartLine[]> {
  const code = await app.service(invitations).welcomeCode();
  return code === undefined ? lines : [...lines, { name: "welcome", text: welcomeLink(url, code) }];
}

/** `plinth admin invite`. */
export const inviteCommand: Command = {
  description: "print a link by which somebody becomes an administrator, once and within an hour",
  options: {
    "--email <address>": "whom it is for",
    "--role <name>": "super, editor, author, or one of your own (default: super)",
  },
  required: ["--email <address>"],
  run: async ({ app, options, print }) => {
    const { email, role = "super" } = options as Readonly<Record<string, string>>;
    const code = await app.service(invitations).invite({ email: email ?? "", role });
    print(welcomeLink(addressOf(app), code));
  },
};

/** How the app is reached, as far as its configuration says. */
function addressOf({ config }: App): string {
  return config.get<string>("server.url") ?? `http://localhost:${config.get<number>("server.port", 1337)}`;
}
