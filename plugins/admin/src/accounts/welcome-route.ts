import type { App, Route } from "@plinth/core";
import { tellAdministrator } from "@plinth/plugin-api-tokens";
import { openRoute } from "../access/admin-route.js";
import { assertKept } from "../access/cookie.js";
import { welcomeBody } from "./bodies.js";
import { descriptions } from "./describe-routes.js";
import { invitations } from "./invitations.js";
import { parseBody } from "./parse-body.js";
import { signIn } from "./sign-in.js";

/** How somebody becomes the first administrator by a link, and is signed in. */
export function createWelcomeRoute(app: App): Route {
  return openRoute(app, {
    ...{ method: "POST", path: "/welcome", description: descriptions.welcome },
    handler: async (ctx) => {
      assertKept(app, ctx);
      const welcome = parseBody(welcomeBody, ctx);
      const user = await tellAdministrator(app, ctx, { action: "auth.register" }, () =>
        app.service(invitations).acceptFirst(welcome),
      );
      return signIn(app, ctx, user, false);
    },
  });
}
