import type { RelatedEntry } from "../../../src/wire/content.js";
import type { IconName } from "../../ui/icon-paths.js";

/** One thing that the palette offers. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** Stands at the end: a type, a key. */
  readonly aside?: string | undefined;
  /** Further words that find it. */
  readonly words?: string | undefined;
  /** Address below `/admin`, where it is a screen. */
  readonly href?: string;
  readonly run?: () => void;
}

/** Entries under one heading. */
export interface PaletteGroup {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** The same without accents and capitals. */
export const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well an entry fits what was typed: 0 not at all; the first word counts more than others, a beginning more than a part. */
export function fitOf({ label, words = "" }: Pick<PaletteEntry, "label" | "words">, typed: string): number {
  const wanted = folded(typed).split(/\s+/).filter(Boolean);
  const name = folded(label);
  const all = `${name} ${folded(words)}`;
  if (wanted.some((word) => !all.includes(word))) return 0;
  const whole = wanted.join(" ");
  if (name === whole) return 4;
  if (name.startsWith(whole)) return 3;
  return wanted.every((word) => new RegExp(`(?:^|[^\\p{L}\\p{N}])${escaped(word)}`, "u").test(all)) ? 2 : 1;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The entries of groups that fit, the best of each first; a group without any is left out. */
export function fitting(groups: readonly PaletteGroup[], typed: string): readonly PaletteGroup[] {
  if (typed.trim() === "") return groups.filter(({ entries }) => entries.length > 0);
  return groups.flatMap((group) => {
    const entries = group.entries
      .map((entry) => ({ entry, fit: fitOf(entry, typed) }))
      .filter(({ fit }) => fit > 0)
      .toSorted((a, b) => b.fit - a.fit)
      .map(({ entry }) => entry);
    return entries.length > 0 ? [{ ...group, entries }] : [];
  });
}

/** What names a document in a list of its own: its type, uid and locale. */
export interface FoundDocument extends Pick<RelatedEntry, "uid" | "documentId" | "locale" | "title"> {}

/** Address of a document. */
export function hrefOf({ uid, documentId, locale }: Omit<FoundDocument, "title">, isSingle: boolean): string {
  const search = locale === null ? "" : `?locale=${encodeURIComponent(locale)}`;
  return isSingle ? `/single/${uid}${search}` : `/content/${uid}/${documentId}${search}`;
}
