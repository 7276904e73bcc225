import type { AnswerDescription, JsonSchema, RouteDescription } from "@plinth/core/http";
import { addressBody, changePasswordBody, loginBody, registerBody, resetPasswordBody } from "../body/bodies.js";
import type { BodySchema } from "../body/check-body.js";

const tag = "Signing in";
const TEXT = { type: "string", minLength: 1 } as const;
const USER: JsonSchema = { $ref: "plugin::users-permissions.user" };
const REFRESH_TOKEN = { type: "string", description: "In refresh mode, unless it is kept in a cookie" };

const SIGNED_IN = ok("The bearer, and who it is of", {
  type: "object",
  required: ["jwt", "user"],
  properties: { jwt: TEXT, user: USER, refreshToken: REFRESH_TOKEN },
});
const REGISTERED = ok("The bearer, unless the address is to be confirmed first; and the user", {
  type: "object",
  required: ["user"],
  properties: { jwt: TEXT, user: USER, refreshToken: REFRESH_TOKEN },
});
const OK = ok("It is done", object({ ok: { const: true } }));

/**
 * The descriptions of the authentication routes, by their action.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 * @source plugins/content-api/WIRE.md#sessions
 */
export const authDescriptions: Readonly<Record<string, RouteDescription | false>> = {
  callback: post("Sign in", "login", loginBody, SIGNED_IN),
  register: post("Register", "register", registerBody, REGISTERED),
  changePassword: post("Change one's password", "changePassword", changePasswordBody, SIGNED_IN),
  forgotPassword: post("Ask for a mail to reset a password", "forgotPassword", addressBody, OK),
  resetPassword: post("Set a password by the code of a mail", "resetPassword", resetPasswordBody, SIGNED_IN),
  sendEmailConfirmation: post(
    "Ask for another mail that confirms an address",
    "sendEmailConfirmation",
    addressBody,
    ok("Sent, if there is such a user", object({ email: TEXT, sent: { const: true } })),
  ),
  emailConfirmation: {
    tag,
    summary: "Confirm an address by the code of a mail",
    name: "confirmEmail",
    query: { confirmation: { required: true, schema: TEXT } },
    answers: { 200: { description: "The user", schema: USER }, 302: { description: "To the page that is configured" } },
    errors: [429],
  },
  // No provider can be enabled yet, so there is no success to describe.
  connect: false,
  refresh: {
    tag,
    summary: "Trade a refresh token in for the next",
    name: "refreshSession",
    body: { required: false, schema: { type: "object", properties: { refreshToken: TEXT } } },
    answers: ok("Another bearer", {
      type: "object",
      required: ["jwt"],
      properties: { jwt: TEXT, refreshToken: REFRESH_TOKEN },
    }),
    errors: [404, 429],
  },
  logout: {
    tag,
    summary: "End one's session, or all of them",
    name: "logout",
    body: { required: false, schema: { type: "object", properties: { scope: { enum: ["all"] } } } },
    answers: OK,
    errors: [404],
  },
  getSessions: {
    tag,
    summary: "List one's sessions",
    name: "findSessions",
    answers: ok("Those that are not over", object({ data: { type: "array", items: sessionSchema() } })),
    errors: [404],
  },
  revokeSession: { tag, summary: "End one of one's sessions", name: "endSession", answers: OK },
};

function post(
  summary: string,
  name: string,
  schema: BodySchema,
  answers: RouteDescription["answers"],
): RouteDescription {
  return { tag, summary, name, body: { schema }, answers, errors: [429] };
}

function ok(description: string, schema: JsonSchema): Readonly<Record<200, AnswerDescription>> {
  return { 200: { description, schema } };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function sessionSchema(): JsonSchema {
  return object({
    id: TEXT,
    current: { type: "boolean" },
    deviceName: { type: "string" },
    loginAt: { type: "string", format: "date-time" },
  });
}
