import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The version in the package.json of a project, such as `1.4.0`; `""` where there is none. */
export function appVersion(root: string): string {
  const file = join(root, "package.json");
  if (!existsSync(file)) return "";
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: unknown };
  return typeof version === "string" ? version : "";
}
