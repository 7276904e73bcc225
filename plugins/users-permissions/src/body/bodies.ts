import * as v from "@plinth/core/valibot";
import { MAX_NAME_LENGTH, ROLE } from "../content-types.js";

/** bcrypt reads no more. */
const MAX_PASSWORD_BYTES = 72;

const text = v.pipe(v.string(), v.nonEmpty());
const email = v.pipe(v.string(), v.email());

/** A new password. */
export const password = v.pipe(v.string(), v.minLength(6), v.maxBytes(MAX_PASSWORD_BYTES));

/** A field that something else checks; OpenAPI shows its JSON Schema. */
const elsewhere = (jsonSchema: Readonly<Record<string, unknown>>) => v.pipe(v.unknown(), v.metadata(jsonSchema));

const TEXT = { type: "string", minLength: 1 };

/** Problems are reported in the order of fields. */
const account = {
  email: v.pipe(email, v.minLength(6), v.maxLength(MAX_NAME_LENGTH)),
  username: v.pipe(v.string(), v.minLength(3), v.maxLength(MAX_NAME_LENGTH)),
  password,
};

/** What is stored with the session that begins; checked before anything is changed. */
const deviceId = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(MAX_NAME_LENGTH),
    v.regex(/^\P{Cc}*$/u),
    v.description("As the client names its device, so that it can sign out there"),
  ),
);

/** `POST /auth/local` */
export const loginBody = v.object({
  identifier: v.pipe(text, v.description("E-mail address or name")),
  password: text,
  deviceId,
});

/** `POST /auth/local/register`; attributes that the configuration allows are taken as well. */
export const registerBody = v.object(account);

const newPassword = { passwordConfirmation: text, password, deviceId };

/** `POST /auth/change-password` */
export const changePasswordBody = v.object({ ...newPassword, currentPassword: text });

/** `POST /auth/reset-password` */
export const resetPasswordBody = v.object({ ...newPassword, code: text });

/** What asks for a mail. */
export const addressBody = v.object({ email });

/** What a mail brings back, in a query string. */
export const confirmationQuery = v.object({ confirmation: text });

/** `POST /users`; documents check what is not checked here, and attributes that an app added to users. */
export const newUserBody = v.object({
  ...account,
  role: elsewhere({ ...TEXT, description: "Document id of a role", "x-plinth-target": ROLE }),
  provider: v.optional(elsewhere(TEXT)),
  confirmed: v.optional(elsewhere({ type: "boolean" })),
  blocked: v.optional(elsewhere({ type: "boolean" })),
});

/** `PUT /users/:id` */
export const userBody = v.partial(newUserBody);

/** What proves that users change their own address. */
export const ownerBody = v.object({ currentPassword: v.string() });

/** Actions by controller, by api: `{ "api::article": { controllers: { article: { find: { enabled, policy } } } } }` */
export const PERMISSION_TREE = {
  type: "object",
  additionalProperties: {
    type: "object",
    required: ["controllers"],
    properties: {
      controllers: {
        type: "object",
        additionalProperties: {
          type: "object",
          additionalProperties: {
            type: "object",
            required: ["enabled"],
            properties: { enabled: { type: "boolean" }, policy: { type: "string" }, source: { const: "code" } },
          },
        },
      },
    },
  },
} as const;

/** `POST /users-permissions/roles` */
export const newRoleBody = v.object({
  name: text,
  description: v.optional(v.string()),
  permissions: v.optional(elsewhere(PERMISSION_TREE)),
});

/** `PUT /users-permissions/roles/:id` */
export const roleBody = v.partial(newRoleBody);
