import type { ContentModel } from "@plinth/core/schema";
import { AUTHENTICATOR_TYPE, PASSKEY_TYPE } from "../content-types/second-factor.js";

/** SQL: whether an account has a second factor. @param account - SQL of its documentId. */
export function hasFactorSql(contentTypes: ContentModel["contentTypes"], account: string): string {
  const found = [AUTHENTICATOR_TYPE, PASSKEY_TYPE].map(
    (uid) => `exists (select 1 from "${contentTypes.get(uid)?.table}" f where f.account = ${account})`,
  );
  return `(${found.join(" or ")})`;
}
