import type { RelatedEntry } from "../../../src/wire/content.js";
import { LANGUAGES, t, textLanguage } from "../../messages/text.js";
import { recentDocuments } from "../../screens/home/recent.js";
import { isIconName } from "../../ui/icon.js";
import { chooseLanguage, nameOfLanguage, signOut } from "../account-actions.js";
import type { Command } from "../commands.js";
import { entryTitle } from "../entry-title.js";
import { textOf, type LoadedExtension } from "../extensions.js";
import { keysText } from "../keys/key-names.js";
import { openKeys } from "../open-finder.js";
import { isOpen, type Place, SETTINGS, TOOLS } from "../places.js";
import { mayDo, type Session } from "../session.js";
import { setTheme, THEMES } from "../theme.js";
import { type FoundDocument, hrefOf, type PaletteEntry, type PaletteGroup } from "./entries.js";

/** Documents that were opened last in this browser. */
export function recentGroup(session: Session): PaletteGroup {
  const recent = recentDocuments(session.user.documentId).filter(({ uid }) => session.types.has(uid));
  return {
    id: "recent",
    title: t("home.recent"),
    entries: recent.map((found) => documentEntry(session, found, "recent")),
  };
}

/** Documents that the server found. */
export const documentsGroup = (session: Session, found: readonly RelatedEntry[]): PaletteGroup => ({
  id: "documents",
  title: t("palette.documents"),
  entries: found.map((entry) => documentEntry(session, entry, "found")),
});

function documentEntry({ types }: Session, found: FoundDocument, prefix: string): PaletteEntry {
  const { uid, documentId, locale } = found;
  const type = types.get(uid);
  const isSingle = type?.kind === "singleType";
  return {
    id: [prefix, uid, documentId, locale].join("-"),
    label: entryTitle(type, found),
    icon: "file-text",
    aside: [type?.label ?? uid, locale].filter(Boolean).join(" · "),
    href: hrefOf(found, isSingle),
  };
}

/** Screens: lists of types, tools, what extensions bring, settings. */
export function screenGroup(session: Session, extensions: readonly LoadedExtension[]): PaletteGroup {
  const types = [...session.types.values()].filter(({ uid }) => mayDo(session, uid, "find"));
  const place = ({ to, label, icon }: Place): PaletteEntry => ({ id: to, label: t(label), icon, href: to });
  const shown = (places: readonly Place[]) => places.filter((each) => isOpen(each, session)).map(place);
  const pages = extensions.flatMap(({ name, extension }) =>
    (extension.pages ?? [])
      .filter(({ action }) => action === undefined || session.actions.includes(action))
      .map(({ path, title, icon = null }): PaletteEntry => {
        const known = isIconName(icon) ? icon : "box";
        return { id: `${name}/${path}`, label: textOf(title), icon: known, href: `/x/${name}/${path}` };
      }),
  );
  const entries: readonly PaletteEntry[] = [
    { id: "home", label: t("palette.home"), icon: "house", href: "/" },
    ...types.map(({ uid, kind, label, icon, group }) => ({
      id: `type-${uid}`,
      label,
      icon: isIconName(icon) ? icon : kind === "singleType" ? ("file-text" as const) : ("layers" as const),
      words: [uid, group].join(" "),
      href: kind === "singleType" ? `/single/${uid}` : `/content/${uid}`,
    })),
    ...shown(TOOLS),
    ...pages,
    ...shown(SETTINGS),
  ];
  return { id: "screens", title: t("palette.screens"), entries };
}

/** Commands that were added, by the screen that is shown or by extensions. */
export const addedGroup = (id: string, title: string, commands: readonly Command[]): PaletteGroup => ({
  ...{ id, title },
  entries: commands.map(({ id: own, label, icon = "command", keys, words, run }) => ({
    ...{ id: `${id}-${own}`, label, icon, words, run },
    aside: keys === undefined ? undefined : keysText(keys),
  })),
});

/** What can be done everywhere: something new, the look of the page, the way out. */
export function commandGroup(session: Session): PaletteGroup {
  const created = [...session.types.values()].filter(
    ({ uid, kind }) => kind === "collectionType" && mayDo(session, uid, "create"),
  );
  const account = session.user.documentId;
  const entries: readonly PaletteEntry[] = [
    ...created.map(({ uid, label }) => ({
      ...{ id: `new-${uid}`, label: t("palette.new", { type: label }), icon: "plus" as const },
      href: `/content/${uid}/new`,
    })),
    { id: "keys", label: t("keys.title"), icon: "keyboard", aside: "?", run: openKeys },
    ...THEMES.map(({ theme, icon }) => ({
      ...{ id: `theme-${theme}`, label: t("palette.theme", { theme: t(`theme.${theme}`) }), icon },
      run: () => setTheme(theme),
    })),
    ...LANGUAGES.filter((code) => code !== textLanguage()).map((code) => ({
      ...{ id: `language-${code}`, label: t("palette.language", { language: nameOfLanguage(code) }) },
      ...{ icon: "languages" as const, run: () => chooseLanguage(code) },
    })),
    { id: "sign-out", label: t("account.signOut"), icon: "log-out", run: () => void signOut(account) },
  ];
  return { id: "commands", title: t("palette.commands"), entries };
}
