import { createCoreRouter } from "@plinth/plugin-content-api";

/** The REST endpoints of a content-type of a plugin, which has none unless it says so: /api/bookmarks. */
export default createCoreRouter("plugin::adds-content-type.bookmark");
