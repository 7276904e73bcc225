/** A role that exists from the first start on. */
export interface DefaultRole {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  /** What it is granted when it is made; later it has what administrators and code give it. */
  readonly actions: readonly string[];
}

/** The role of requests without credentials. */
export const PUBLIC = "public";

const own = (controller: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `plugin::users-permissions.${controller}.${name}`);

/** @source plugins/content-api/WIRE.md#actions */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: "Authenticated",
    description: "Default role given to authenticated user.",
    type: "authenticated",
    actions: [...own("auth", "changePassword", "logout", "getSessions", "revokeSession"), ...own("user", "me")],
  },
  {
    name: "Public",
    description: "Default role given to unauthenticated user.",
    type: PUBLIC,
    actions: [
      ...own("auth", "callback", "connect", "emailConfirmation", "forgotPassword", "refresh", "register"),
      ...own("auth", "resetPassword", "sendEmailConfirmation"),
    ],
  },
];
