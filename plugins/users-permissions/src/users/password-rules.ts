import { type App, type InputContext, type RegisterContext, transformInput } from "@plinth/core";
import { passwordWeakness } from "@plinth/core/access";
import { USER } from "../content-types.js";
import { BodyInvalidError } from "../errors.js";

type Data = Readonly<Record<string, unknown>>;

/** Rejects passwords that are easy to guess, for every way of writing them. */
export function keepPasswordRules({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  on(transformInput, (data, context) => checkPassword(app, data, context), { about: [USER] });
}

/**
 * Holds a new password against the rules of the configuration, `passwords`.
 *
 * @param names - the user's own name and e-mail address.
 * @throws PLINTH_USERS_BODY_INVALID (400), without the password
 */
export function assertAllowedPassword(app: App, password: string, names: readonly string[]): void {
  const weakness = passwordWeakness(password, { ...app.plugin("users-permissions").config.passwords, names });
  if (weakness === undefined) return;
  const message = `password ${weakness}`;
  throw new BodyInvalidError({ errors: [{ path: ["password"], message, name: "ValidationError" }] });
}

/** The schema's own length; what is shorter is refused with everything else that is wrong. */
const MIN_LENGTH = 6;

async function checkPassword(app: App, data: Data, { documentId }: InputContext): Promise<Data> {
  const { password } = data;
  if (typeof password !== "string" || password.length < MIN_LENGTH) return data;
  const stored = documentId === undefined ? [] : await namesOf(app, documentId);
  const given = [data["username"], data["email"]].filter((name) => typeof name === "string");
  assertAllowedPassword(app, password, [...stored, ...given]);
  return data;
}

async function namesOf({ db, model }: App, documentId: string): Promise<readonly string[]> {
  const text = `select username, email from "${model.contentTypes.get(USER)?.table}" where document_id = $1`;
  const [user] = await db.query<Record<string, string | null>>({ text, values: [documentId], isPlan: true });
  return Object.values(user ?? {}).filter((name) => name !== null);
}
