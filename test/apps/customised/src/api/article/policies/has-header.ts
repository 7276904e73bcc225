import type { Policy } from "@plinth/core";

/** Lets pass who sends the header that the configuration names. */
const hasHeader: Policy = (ctx, config) => ctx.headers[String(config["name"])] !== undefined;

export default hasHeader;
