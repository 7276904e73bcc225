import type { App, HttpContext } from "@plinth/core";
import { onAct } from "@plinth/core/access";
import { originOf } from "@plinth/core/http";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";

/** What an administrator did with an account, of their own or of somebody else. */
export interface AccountAct {
  /** `auth.second-factor-on`, `account.invite` ... */
  readonly action: string;
  /** documentId of the account that it is about; undefined: there is none yet. */
  readonly account?: string | undefined;
  /** A few short values, nothing secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Notes by the hook `access:onAct` what was done. Who did it is the caller of the request. */
export async function noteAct(app: App, ctx: HttpContext, { action, account, details }: AccountAct): Promise<void> {
  const subject = { uid: ADMINISTRATOR_TYPE, documentId: account };
  await app.hooks.notify(onAct, { action, result: "accepted", origin: originOf(ctx), subject, details });
}
