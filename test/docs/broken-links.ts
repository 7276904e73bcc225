import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The links of a Markdown file that lead to no file, folder or heading; those to other sites are not followed. */
export function brokenLinks(file: string): readonly string[] {
  const links = readFileSync(file, "utf8").matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
  return [...links].flatMap(([link, path = "", heading]) => {
    const target = path === "" ? file : join(dirname(file), path);
    const isThere = existsSync(target) && (heading === undefined || headingsOf(target).includes(heading));
    return isThere ? [] : [link];
  });
}

/** The names of headings, as addresses have them. */
function headingsOf(file: string): readonly string[] {
  if (statSync(file).isDirectory()) return [];
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
