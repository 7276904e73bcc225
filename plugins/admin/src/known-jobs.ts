import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");
