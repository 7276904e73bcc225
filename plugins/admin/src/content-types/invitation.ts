import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of invitations. */
export const INVITATION_TYPE = "plugin::admin.invitation";

/** Links by which somebody becomes an administrator. Of the code in a link there is a hash only. */
export const invitationType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_invitations",
  info: { singularName: "admin-invitation", pluralName: "admin-invitations", displayName: "Invitation" },
  pluginOptions: { audit: { values: ["role"] } },
  options: { limitable: [], archive: { part: "none" } },
  attributes: {
    /** What the code is made from, with a secret of the app. */
    seed: { type: "string", required: true, private: true, searchable: false },
    code: { type: "string", required: true, unique: true, private: true, searchable: false },
    /** Who is invited; nothing: the first administrator. */
    email: { type: "email", maxLength: 254 },
    role: { type: "string", required: true, maxLength: 100 },
    /** documentId of the administrator who invites; nothing: a command does. */
    invitedBy: { type: "string" },
    expiresAt: { type: "datetime", required: true },
  },
};
