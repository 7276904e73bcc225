import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readBlocks } from "../../../docs/read-blocks.js";

const GUIDE = readFileSync(join(import.meta.dirname, "../../../../core/guides/deployment.md"), "utf8");
const MANAGEMENT = 'env.int("PORT", 1337) + 8000';

/**
 * The config/server of production that the guide shows for workers, with a management port of its own.
 *
 * @param more - further keys, such as `drainDelay: 300,`.
 */
export function guideServer(more = ""): string {
  const block = readBlocks(GUIDE).find(({ text }) => text.includes(MANAGEMENT));
  if (!block) throw new Error(`no block of the guide has ${MANAGEMENT}`);
  return block.text
    .replace("({ management", `({ ${more} management`)
    .replace(MANAGEMENT, 'env.int("MANAGEMENT_PORT", 9090)');
}
