import type { PersonAt } from "../../src/wire/live.js";

const HUES = 360;

/** A colour of a person, the same for everybody who sees them: a hue. */
export function hueOf(account: string): number {
  let hash = 0;
  for (const letter of account) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % (HUES * 1_000);
  return hash % HUES;
}

/** The letters that stand for a name: `Ada Lovelace` is AL, `editor` E. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toLocaleUpperCase();
}

/** One entry for each account: who has several tabs open is one person. The one in a field stands for the others. */
export function byAccount(people: readonly PersonAt[]): readonly PersonAt[] {
  const found = new Map<string, PersonAt>();
  for (const person of people) {
    const known = found.get(person.account);
    if (!known || (known.field === null && person.field !== null)) found.set(person.account, person);
  }
  return [...found.values()];
}
