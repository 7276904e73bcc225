import type { ActorUser, App } from "@plinth/core";
import { seal, unseal } from "../access/seal.js";
import { AUTHENTICATOR_TYPE } from "../content-types/second-factor.js";
import { SealedFactorError } from "./errors.js";

/** What every authenticator app understands. @source https://www.rfc-editor.org/rfc/rfc6238 */
const FORM = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const PERIOD = FORM.period * 1000;
/** Codes before and after the one of now that are right as well: clocks differ, and people type. */
const WINDOW = 1;
/** @source https://www.rfc-editor.org/rfc/rfc4226 section 4, 160 bits */
const SECRET_BYTES = 20;

const PURPOSE = "totp secret";

/** The library is loaded when a code is asked for. */
const load = () => import("otpauth");

/** Makes a secret. @returns base32 */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await load();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Whose an entry of an authenticator app is. */
interface TotpLabel {
  /** Name of the site. */
  readonly issuer: string;
  /** E-mail address of the account. */
  readonly label: string;
}

/** What a QR code says to an authenticator app. */
export async function totpUri(secret: string, { issuer, label }: TotpLabel): Promise<string> {
  const { TOTP } = await load();
  return new TOTP({ ...FORM, secret, issuer, label }).toString();
}

/** The interval that a code is of; undefined for one that is wrong now. */
export async function stepOfCode(app: App, secret: string, code: string): Promise<number | undefined> {
  const { TOTP } = await load();
  const timestamp = app.clock.now();
  const token = code.replace(/\s/g, "");
  const delta = new TOTP({ ...FORM, secret }).validate({ token, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / PERIOD) + delta;
}

/** Keeps the authenticator app of an account, in place of one that there was. @param step - of the code that proved it */
export async function keepTotp(app: App, { documentId }: ActorUser, secret: string, step: number): Promise<void> {
  const data = { account: documentId, secret: seal(app, PURPOSE, secret), lastStep: String(step) };
  await app.db.transaction(async () => {
    await dropTotp(app, { documentId });
    await app.documents(AUTHENTICATOR_TYPE).create({ data });
  });
}

/**
 * Uses a code up: no code of its interval or of an earlier one is right any more. False for a wrong one.
 *
 * @throws PLINTH_ADMIN_SECOND_FACTOR_SEALED (500)
 */
export async function spendTotp(
  app: App,
  { documentId }: Pick<ActorUser, "documentId">,
  code: string,
): Promise<boolean> {
  const found = await app
    .documents(AUTHENTICATOR_TYPE)
    .findFirst({ filters: { account: documentId }, withPrivate: true });
  if (!found) return false;
  const known = unseal<string>(app, PURPOSE, String(found["secret"]));
  if (!known) throw new SealedFactorError({ account: documentId });
  const step = await stepOfCode(app, known.value, code);
  if (step === undefined) return false;
  const text = `update "${tableOf(app)}" set last_step = $2, secret = $3
    where account = $1 and (last_step is null or last_step < $2) returning id`;
  const secret = known.isNewest ? String(found["secret"]) : seal(app, PURPOSE, known.value);
  const [counted] = await app.db.query({ text, values: [documentId, step, secret] });
  return counted !== undefined;
}

/** Deletes the authenticator app of an account. False where there is none. */
export async function dropTotp(app: App, { documentId }: Pick<ActorUser, "documentId">): Promise<boolean> {
  const text = `delete from "${tableOf(app)}" where account = $1 returning id`;
  return (await app.db.query({ text, values: [documentId] })).length > 0;
}

const tableOf = ({ model }: App): string => String(model.contentTypes.get(AUTHENTICATOR_TYPE)?.table);
