import { createHash, randomInt } from "node:crypto";
import type { ActorUser, App } from "@plinth/core";
import { RECOVERY_CODE_TYPE } from "../content-types/second-factor.js";

const COUNT = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;
/** Without letters that are read as digits or as one another. @source https://www.crockford.com/base32.html */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LOOKALIKES: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1" };

/** Eighty random bits: `7k2m-9x0c-f4h8-wq3t`. */
const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  ).join("-");

/** What is kept of a code. It is random, so that a quick hash is enough; the account is in it, so that it is of no other one. */
function hashOf({ documentId }: Pick<ActorUser, "documentId">, code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  const read = [...typed].map((letter) => LOOKALIKES[letter] ?? letter).join("");
  return createHash("sha256").update(`recovery code of ${documentId} ${read}`).digest("base64url");
}

const tableOf = ({ model }: App): string => String(model.contentTypes.get(RECOVERY_CODE_TYPE)?.table);

/** Makes ten codes in place of those that there are. @returns them, this once */
export async function makeRecoveryCodes(app: App, account: Pick<ActorUser, "documentId">): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await app.db.transaction(async () => {
    await dropRecoveryCodes(app, account);
    for (const code of codes)
      await app
        .documents(RECOVERY_CODE_TYPE)
        .create({ data: { account: account.documentId, hash: hashOf(account, code) } });
  });
  return codes;
}

/** Uses a code up. False where it is none of the account's, or was used. */
export async function spendRecoveryCode(
  app: App,
  account: Pick<ActorUser, "documentId">,
  code: string,
): Promise<boolean> {
  const text = `delete from "${tableOf(app)}" where account = $1 and hash = $2 returning id`;
  const [spent] = await app.db.query({ text, values: [account.documentId, hashOf(account, code)] });
  return spent !== undefined;
}

/** Codes of an account that were not used. */
export async function countRecoveryCodes(app: App, { documentId }: Pick<ActorUser, "documentId">): Promise<number> {
  const text = `select count(*)::int as left from "${tableOf(app)}" where account = $1`;
  const [row] = await app.db.query<{ left: number }>({ text, values: [documentId] });
  return row?.left ?? 0;
}

/** Deletes all codes of an account. */
export async function dropRecoveryCodes(app: App, { documentId }: Pick<ActorUser, "documentId">): Promise<void> {
  await app.db.query({ text: `delete from "${tableOf(app)}" where account = $1`, values: [documentId] });
}
