import type { RegisterContext } from "@plinth/core";
import { FILE_TYPE } from "../content-types.js";

/** The attribute of a file that links to the user who sent it. */
export const UPLOADER = "uploadedBy";

/** Uid of the type of users, of a plugin that need not be there. */
const USER_TYPE = "plugin::users-permissions.user";

/** Adds the uploader to files, for rules such as `{ uploadedBy: { id: "{{user.id}}" } }`. Answers never show it. */
export function keepUploaders({ has, registry }: Pick<RegisterContext<object>, "has" | "registry">): void {
  if (!has("users-permissions")) return;
  registry("content-type").extend(FILE_TYPE, (type) => ({
    ...type,
    attributes: {
      [UPLOADER]: {
        ...{ type: "relation", relation: "manyToOne", target: USER_TYPE },
        ...{ private: true, writable: false, visible: false },
      },
      ...type.attributes,
    },
  }));
}
