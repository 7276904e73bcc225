/** Changes of tokens by callers, who hand on no rights beyond their own. */
import type { Actor, App } from "@plinth/core";
import { assertMayGrant } from "@plinth/core/access";
import { TOKEN_TYPE } from "../content-types.js";
import { type ApiToken, apiTokens, type IssuedToken, type NewToken } from "../contract.js";
import { assertEndsLater } from "./check-token.js";
import { grantOf } from "./token-grant.js";

/** What callers do with tokens; each is undefined or false where there is no such token, and changes nothing where it throws. */
export interface Issuing {
  findOne(documentId: string): Promise<ApiToken | undefined>;
  /** @throws PLINTH_TOKENS_INVALID, PLINTH_DOCUMENT_NOT_UNIQUE (400), PLINTH_ADMIN_GRANTS_MORE (403) */
  create(values: NewToken, actor: Actor): Promise<IssuedToken>;
  /** @throws as `create`, also for the token as it was */
  update(documentId: string, changes: Partial<NewToken>, actor: Actor): Promise<ApiToken | undefined>;
  /** @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  regenerate(documentId: string, actor: Actor): Promise<IssuedToken | undefined>;
  /** A program may be using it. @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  revoke(documentId: string, actor: Actor): Promise<boolean>;
}

/** Makes what the routes of administrators do with tokens. */
export function createIssuing(app: App): Issuing {
  const service = () => app.service(apiTokens);
  const findOne = async (id: string) => (await service().list()).find(({ documentId }) => documentId === id);
  const assertMayIssue = async (actor: Actor, token: ApiToken | undefined) => {
    if (token) await assertMayGrant(app, { actor, grant: grantOf(token), holder: `The API token "${token.name}"` });
  };
  /** A token stays as it was checked until it is changed. */
  const changing = <Result>(id: string, actor: Actor, change: (before: ApiToken | undefined) => Promise<Result>) =>
    app.db.transaction(async () => {
      await app.documents(TOKEN_TYPE).lock(id);
      const before = await findOne(id);
      await assertMayIssue(actor, before);
      return await change(before);
    });
  return {
    findOne,
    create: (values, actor) =>
      app.db.transaction(async () => {
        const made = await service().create(values);
        assertEndsLater(made, app.clock.now());
        await assertMayIssue(actor, made);
        return made;
      }),
    update: (id, changes, actor) =>
      changing(id, actor, async (before) => {
        const changed = await service().update(id, changes);
        if (changed) assertEndsLater(changed, app.clock.now(), before);
        await assertMayIssue(actor, changed);
        return changed;
      }),
    regenerate: (id, actor) => changing(id, actor, () => service().regenerate(id)),
    revoke: (id, actor) => changing(id, actor, () => service().revoke(id)),
  };
}
