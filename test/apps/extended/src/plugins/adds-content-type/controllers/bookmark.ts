import { createCoreController } from "@plinth/plugin-content-api";

/** What these endpoints do: as those of the app's own types. */
export default createCoreController("plugin::adds-content-type.bookmark");
