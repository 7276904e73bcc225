// Reads what an interface of the sources declares, with its docstrings. No parser: our formatter decides how it is written.
import { readFileSync } from "node:fs";

/**
 * Lists the members of an interface.
 *
 * @param {string} file
 * @param {string} name
 * @returns {{ name: string, type: string, description: string }[]}
 */
export function readInterface(file, name) {
  const lines = readFileSync(file, "utf8").split("\n");
  const start = lines.findIndex((line) => new RegExp(`^export interface ${name}\\b.*\\{$`).test(line));
  if (start < 0) throw new Error(`${file} exports no interface ${name}`);
  const body = lines.slice(start + 1, lines.indexOf("}", start));
  return membersOf(body);
}

function membersOf(lines) {
  const members = [];
  let comment = [];
  let declaration = "";
  for (const line of lines) {
    if (declaration === "" && /^ {2}(\/\*\*| \*)/.test(line)) comment.push(line);
    else declaration += ` ${line.trim()}`;
    if (!isComplete(declaration)) continue;
    members.push(memberOf(declaration.trim(), comment));
    comment = [];
    declaration = "";
  }
  return members;
}

const count = (text, sign) => text.split(sign).length - 1;
const isComplete = (text) => text.endsWith(";") && count(text, "{") === count(text, "}");

function memberOf(declaration, comment) {
  const [, name, type] = /^(?:readonly )?(\w+)\??: (.*);$/s.exec(declaration);
  const description = comment
    .join("\n")
    .replace(/^ {2}\/\*\*|\*\/$|^ {3}\*/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return { name, type: type.replaceAll("readonly ", "").replace(/^\| /, ""), description };
}
