import type { PageFacts } from "../../src/wire/page.js";

const { dataset } = document.getElementById("page") ?? document.body;

/** Whose the page is, and the modules that were added to it. */
export const pageFacts = JSON.parse(dataset["page"] ?? "{}") as PageFacts;
