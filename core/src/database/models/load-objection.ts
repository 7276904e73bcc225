import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loads the library with the first model: it is large, and most apps have none. At once, because `app.db.model` answers so. */
export const loadObjection = (): typeof import("objection") => require("objection");
