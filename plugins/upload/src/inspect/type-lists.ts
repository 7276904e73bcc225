import { option, options, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { TypeRefusedError } from "../errors.js";

const pattern = v.pipe(v.string(), v.regex(/^(?:\*|[a-z]+\/(?:\*|[\w.+-]+))$/i), v.examples(["image/*"]));

/** What the configuration may hold under `types`. */
export const typeLists = options({
  allow: option(
    v.array(pattern),
    "Patterns such as `image/*`, `application/pdf` or `*`; what none of them matches is refused.",
    ["*"],
  ),
  deny: option(v.array(pattern), "What one of them matches is refused, though it is allowed.", []),
});

/** Which types of files are allowed. */
export type TypeLists = OptionsOf<typeof typeLists>;

/** @throws PLINTH_UPLOAD_TYPE_REFUSED (400) */
export function assertTaken(mime: string, name: string, { allow, deny }: TypeLists): void {
  const matches = (pattern: string) => isMatch(mime, pattern.toLowerCase());
  if (!allow.some(matches) || deny.some(matches)) throw new TypeRefusedError({ name, mime });
}

function isMatch(mime: string, pattern: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith("/*") ? mime.startsWith(pattern.slice(0, -1)) : mime === pattern;
}
