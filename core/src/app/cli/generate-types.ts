import { compareTypes, TYPES_FILE, writeTypes } from "../types/write-types.js";
import { TypesOutdatedError } from "./errors.js";
import { inspect } from "./inspect.js";
import { print } from "./terminal.js";

/**
 * Writes the generated types of a project, or only compares them.
 *
 * @throws PLINTH_CLI_TYPES_OUTDATED with `check`, when the file is missing or says something else
 */
export async function generateTypes(root: string, { check }: { readonly check: boolean }): Promise<void> {
  const isWritten = await inspect(root, async ({ app }, setup) => {
    if (!check) return await writeTypes({ setup, app });
    const { isCurrent } = await compareTypes({ setup, app });
    if (!isCurrent) throw new TypesOutdatedError({ file: TYPES_FILE });
    return false;
  });
  print(isWritten ? `wrote ${TYPES_FILE}` : `${TYPES_FILE} is up to date`);
}
