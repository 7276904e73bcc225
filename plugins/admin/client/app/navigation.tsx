import { Link } from "@tanstack/react-router";
import type { TypeView } from "../../src/wire/model.js";
import { t } from "../messages/text.js";
import { IconButton } from "../ui/button.js";
import { Icon, isIconName } from "../ui/icon.js";
import { AccountMenu } from "./account-menu.js";
import { textOf, useExtensions } from "./extensions.js";
import styles from "./frame.module.css";
import { pageFacts } from "./page-facts.js";
import { openKeys } from "./open-finder.js";
import { isOpen, type Place, SETTINGS, TOOLS } from "./places.js";
import { mayDo, type Session, useSession } from "./session.js";

/** Name and picture of the site; leads home. */
export function Brand() {
  const { brand } = pageFacts;
  return (
    <Link to="/" className={styles.brand}>
      {brand.logo && <img src={brand.logo} alt="" />}
      {brand.name}
    </Link>
  );
}

/** The types that the caller may find, by their groups. */
export function Navigation() {
  const session = useSession();
  return (
    <>
      <nav className={styles.nav} aria-label={t("frame.content")}>
        {groupsOf(session).map(({ title, types }) => (
          <section key={title}>
            <p className={styles.heading}>{title}</p>
            <ul>
              {types.map((type) => (
                <li key={type.uid}>
                  <TypeLink type={type} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Places title={t("frame.tools")} places={TOOLS} />
        <ExtensionLinks />
        <Places title={t("frame.settings")} places={SETTINGS} />
      </nav>
      <div className={styles.foot}>
        <AccountMenu />
        <IconButton icon="keyboard" label={t("keys.title")} aria-keyshortcuts="?" onClick={openKeys} />
      </div>
    </>
  );
}

function TypeLink({ type: { uid, kind, label, icon } }: { readonly type: TypeView }) {
  const mark = isIconName(icon) ? icon : kind === "singleType" ? "file-text" : "layers";
  return (
    <Link
      to={kind === "singleType" ? "/single/$uid" : "/content/$uid"}
      params={{ uid }}
      className={styles.link}
      activeProps={{ "aria-current": "page" }}
      activeOptions={{ includeSearch: false }}
    >
      <Icon name={mark} size={1.0625} />
      {label}
    </Link>
  );
}

/** Screens beside those of content, of which only what the caller may use is shown. */
function Places({ title, places }: { readonly title: string; readonly places: readonly Place[] }) {
  const session = useSession();
  const shown = places.filter((place) => isOpen(place, session));
  if (shown.length === 0) return null;
  return (
    <section>
      <p className={styles.heading}>{title}</p>
      <ul>
        {shown.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.link}
              activeProps={{ "aria-current": "page" }}
              activeOptions={{ includeSearch: false }}
            >
              <Icon name={icon} size={1.0625} />
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Screens of extensions. */
function ExtensionLinks() {
  const { loaded } = useExtensions();
  const { actions } = useSession();
  const pages = loaded.flatMap(({ name, extension }) =>
    (extension.pages ?? [])
      .filter(({ action }) => action === undefined || actions.includes(action))
      .map((page) => ({ name, ...page })),
  );
  if (pages.length === 0) return null;
  return (
    <section>
      <p className={styles.heading}>{t("frame.extensions")}</p>
      <ul>
        {pages.map(({ name, path, title, icon = null }) => (
          <li key={`${name} ${path}`}>
            <Link to="/x/$extension/$path" params={{ extension: name, path }} className={styles.link}>
              <Icon name={isIconName(icon) ? icon : "box"} size={1.0625} />
              {textOf(title)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Group {
  readonly title: string;
  readonly types: readonly TypeView[];
}

/** Groups of the schema files first, in their order; then collections and single types that have none. */
function groupsOf(session: Session): readonly Group[] {
  const shown = [...session.types.values()].filter(({ uid }) => mayDo(session, uid, "find"));
  const named = new Set(shown.flatMap(({ group }) => group ?? []));
  const loose = shown.filter(({ group }) => group === null);
  const groups = [
    ...[...named].map((title) => ({ title, types: shown.filter(({ group }) => group === title) })),
    { title: t("frame.collections"), types: loose.filter(({ kind }) => kind === "collectionType") },
    { title: t("frame.singles"), types: loose.filter(({ kind }) => kind === "singleType") },
  ];
  return groups.filter(({ types }) => types.length > 0);
}
