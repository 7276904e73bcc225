import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of administrators, which api-tokens declares. */
export const ADMINISTRATOR_TYPE = "plugin::api-tokens.admin";

/** Adds what the page asks of administrators: what others see of them, and what they may do. */
export function extendAdministrator<Type extends Omit<RawContentType, "uid">>(type: Type): Type {
  return {
    ...type,
    attributes: {
      ...type.attributes,
      name: { type: "string", maxLength: 200 },
      // Those made by `plinth admin create` may do everything, as before there were roles.
      role: { type: "string", required: true, default: "super", maxLength: 100 },
      isActive: { type: "boolean", required: true, default: true },
      language: { type: "string", maxLength: 35 },
      // Written past the documents, a minute late at most.
      lastSeenAt: { type: "datetime", writable: false },
    },
    authors: { fields: ["name", "email"] },
    pluginOptions: { ...type.pluginOptions, audit: { values: ["role", "isActive"] } },
  };
}
