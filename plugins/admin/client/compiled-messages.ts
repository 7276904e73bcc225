import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileStrings } from "@internationalized/string-compiler";
import type { Plugin } from "vite";

const PREFIX = "virtual:messages/";
const PSEUDO = "pseudo";
const FOLDER = join(import.meta.dirname, "messages");

/** What stands in for letters in the pseudo language: text of the page that was not put into messages is seen at once. */
const ACCENTED: Readonly<Record<string, string>> = { a: "á", e: "é", i: "í", o: "ó", u: "ú", c: "ç", n: "ñ", y: "ý" };

/** Compiles texts in ICU's message syntax into functions, as `virtual:messages/<language>`. */
export function compiledMessages(): Plugin {
  return {
    name: "compiled-messages",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const language = id.slice(PREFIX.length + 1);
      const messages = readMessages(language === PSEUDO ? "en" : language, (file) => this.addWatchFile(file));
      const told = language === PSEUDO ? withValues(messages, pseudo) : messages;
      return compileStrings(told, { format: "esm" });
    },
  };
}

/** The texts of a language, of all its files. @param onFile - is called with each file that was read */
function readMessages(language: string, onFile: (file: string) => void): Record<string, string> {
  const files = readdirSync(join(FOLDER, language)).map((name) => join(FOLDER, language, name));
  for (const file of files) onFile(file);
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf8")))) as Record<string, string>;
}

const withValues = (messages: Record<string, string>, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, change(text)]));

/** Longer by a third, as translations are; what stands in braces stays. */
function pseudo(text: string): string {
  let depth = 0;
  const letters = [...text].map((letter) => {
    if (letter === "{") depth += 1;
    if (letter === "}") depth -= 1;
    return depth > 0 ? letter : (ACCENTED[letter] ?? letter);
  });
  return `[${letters.join("")}${"·".repeat(Math.ceil(text.length / 3))}]`;
}
