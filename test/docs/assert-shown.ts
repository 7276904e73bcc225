import { expect } from "chai";
import { asShown, type Block } from "./read-blocks.js";

/**
 * Compares an output with the block that shows it: JSON by the keys that are shown, text line by line, where `...` stands
 * for anything, and alone on a line for any lines.
 */
export function assertShown(output: string, { language, text }: Block): void {
  if (language === "json") {
    const shown: unknown = JSON.parse(text);
    return void expect(asShown(parse(output), shown), output).to.deep.equal(shown);
  }
  const printed = trimmed(output);
  if (!patternOf(trimmed(text)).test(printed)) expect(printed).to.equal(trimmed(text));
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return expect.fail(`no JSON: ${output}`);
  }
}

const trimmed = (text: string): string => text.trim().replace(/[ \t\r]+$/gm, "");

function patternOf(shown: string): RegExp {
  const lines = shown
    .split("\n")
    .map((line) => (line === "..." ? "[\\s\\S]*" : line.split("...").map(literal).join(".*")));
  return new RegExp(`^${lines.join("\n")}$`);
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
