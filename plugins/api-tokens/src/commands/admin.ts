import { randomBytes } from "node:crypto";
import type { App, Command } from "@plinth/core";
import { administrators } from "../contract.js";
import { AdministratorUnknownError } from "../errors.js";

const EMAIL = "--email <address>";
const PASSWORD = "--password <text>";
const PASSWORD_TEXT = "none that is easy to guess (default: generated, and printed once)";

const create: Command = {
  description: "make an administrator, who may manage tokens below /admin",
  options: { [EMAIL]: "address to log in with", [PASSWORD]: PASSWORD_TEXT },
  required: [EMAIL],
  run: async ({ app, options, print }) => {
    const { password, isGenerated } = passwordOf(options);
    const { email } = await app.service(administrators).create(String(options["email"]), password);
    if (isGenerated) print(password);
    print(`Made the administrator ${email}.`);
  },
};

const list: Command = {
  description: "list administrators",
  options: { "--json": "print JSON" },
  run: async ({ app, options, print, table }) => {
    const known = await app.service(administrators).list();
    if (options["json"]) return print(JSON.stringify(known, undefined, 2));
    print(
      table(
        ["ID", "EMAIL", "SINCE"],
        known.map(({ documentId, email, createdAt }) => [documentId, email, createdAt]),
      ),
    );
  },
};

const password: Command = {
  description: "set the password of an administrator, and end the sessions",
  arguments: ["<email>"],
  options: { [PASSWORD]: PASSWORD_TEXT },
  run: async ({ app, arguments: { email = "" }, options, print }) => {
    const chosen = passwordOf(options);
    if (!(await app.service(administrators).setPassword(email, chosen.password))) throw await unknown(app, email);
    if (chosen.isGenerated) print(chosen.password);
    print(`${email} has a new password.`);
  },
};

const remove: Command = {
  description: "remove an administrator",
  arguments: ["<email>"],
  run: async ({ app, arguments: { email = "" }, print }) => {
    if (!(await app.service(administrators).remove(email))) throw await unknown(app, email);
    print(`Removed the administrator ${email}.`);
  },
};

/** `plinth admin create | list | password | remove`. */
export const adminCommands = {
  "admin create": create,
  "admin list": list,
  "admin password": password,
  "admin remove": remove,
};

/** Without a password in the command line, where other users see it, one is generated. */
function passwordOf({ password: given }: Readonly<Record<string, unknown>>): {
  password: string;
  isGenerated: boolean;
} {
  return typeof given === "string"
    ? { password: given, isGenerated: false }
    : { password: randomBytes(18).toString("base64url"), isGenerated: true };
}

async function unknown(app: App, email: string): Promise<Error> {
  const known = (await app.service(administrators).list()).map((administrator) => administrator.email);
  return new AdministratorUnknownError({ email, known });
}
