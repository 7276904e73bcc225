import type { App, HttpContext, Route } from "@plinth/core";
import { tellAdministrator } from "@plinth/plugin-api-tokens";
import { openRoute } from "../access/admin-route.js";
import { assertKept } from "../access/cookie.js";
import { parseBody } from "../accounts/parse-body.js";
import { signIn } from "../accounts/sign-in.js";
import type { FactorProof, PasskeyOptions } from "../wire/second-factor.js";
import { passkeyAskedBody, proofBody } from "./bodies.js";
import { descriptions } from "./describe-routes.js";
import { finishSignIn, retryAfterOf } from "./finish-sign-in.js";
import { accountOfHalf, type HalfSession, readHalf, sendHalf } from "./half-session.js";
import { limitCodes } from "./limit-codes.js";
import { authenticationOptions } from "./passkeys.js";
import { siteOf } from "./site.js";

/** The second half of signing in, and all of it by a passkey. */
export function createFactorSignInRoutes(app: App): readonly Route[] {
  return [
    openRoute(app, {
      ...{ method: "POST", path: "/session/passkey", description: descriptions.askPasskey },
      handler: (ctx) => askPasskey(app, ctx, parseBody(passkeyAskedBody, ctx).stay),
    }),
    openRoute(app, {
      ...{ method: "POST", path: "/session/second-factor", description: descriptions.prove },
      handler: async (ctx) => {
        assertKept(app, ctx);
        const proof = parseBody(proofBody, ctx) as FactorProof;
        const { account } = readHalf(app, ctx) ?? {};
        const { user, stay } = await tellAdministrator(
          app,
          ctx,
          { action: "auth.sign-in", account, isRefusalOnly: true },
          () => finishSignIn(app, ctx, proof),
        );
        return await tellAdministrator(app, ctx, { action: "auth.sign-in", account: user }, () =>
          signIn(app, ctx, user, stay),
        );
      },
    }),
  ];
}

/** Who gave the password is asked for one of their passkeys; of others any passkey is, and it says whose it is. */
async function askPasskey(app: App, ctx: HttpContext, stay: boolean): Promise<PasskeyOptions> {
  assertKept(app, ctx);
  const known = readHalf(app, ctx);
  const account = known && (await accountOfHalf(app, known));
  const options = await limitCodes(app, { ip: ctx.ip, account: undefined, retryAfter: retryAfterOf(ctx) }, () =>
    authenticationOptions(app, account, siteOf(app, ctx)),
  );
  const half: HalfSession = account && known ? known : { stay };
  sendHalf(app, ctx, { ...half, challenge: options.challenge });
  return { options };
}
