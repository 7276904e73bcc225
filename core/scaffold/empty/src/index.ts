import { defineApp } from "@plinth/core";

/** What the app does when it registers, starts and stops. */
export default defineApp({});
