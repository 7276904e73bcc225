import type { Policy } from "@plinth/core";

/** Lets pass who sends the word in a header. */
const knowsTheWord: Policy = (ctx) => ctx.headers["x-word"] === "please";

export default knowsTheWord;
