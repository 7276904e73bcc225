import type { Command } from "@plinth/core";
import { compareStorage } from "../services/compare-storage.js";
import { repairStorage } from "../services/repair-storage.js";

const REPAIR = "--repair";

/** `plinth upload check`. */
export const checkCommand: Command = {
  description: "compare the storage with the table of files",
  options: {
    [REPAIR]: "remove files that no row knows, and rows and formats whose file is gone",
    "--json": "print JSON",
  },
  run: async ({ app, options, print, table }) => {
    const differences = await compareStorage(app);
    if (options["repair"]) await repairStorage(app, differences);
    if (options["json"]) return print(JSON.stringify(differences, undefined, 2));
    const rows = differences.map(({ kind, key, id }) => [key, kind, id === undefined ? "" : String(id)]);
    if (rows.length === 0) return print("Storage and table agree.");
    print(table(["KEY", "WHAT", "FILE"], rows));
    print(options["repair"] ? `Repaired ${rows.length}.` : `${rows.length} difference(s); ${REPAIR} removes them.`);
  },
};
