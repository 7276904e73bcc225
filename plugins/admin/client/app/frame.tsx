import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { t } from "../messages/text.js";
import { IconButton } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Banner } from "../ui/state.js";
import { useExtensions } from "./extensions.js";
import { Finder, SearchButton, SearchIcon } from "./finder.js";
import styles from "./frame.module.css";
import { Brand, Navigation } from "./navigation.js";
import { ModelChangedBar } from "./model-changed.js";
import { NewVersionBar } from "./new-version.js";
import { OfflineBar } from "./offline.js";

/** The CSS query below which the navigation is a drawer. */
const NARROW = "(width < 56.25rem)";

/** What stands around every screen: navigation, account, and whether there is a network. */
export function Frame() {
  const isNarrow = useMedia(NARROW);
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the drawer
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t("frame.skip")}
      </a>
      {isNarrow ? (
        <header className={styles.top}>
          <IconButton icon="menu" label={t("frame.menu")} onClick={() => setOpen(true)} />
          <Brand />
          <span className={styles.end}>
            <SearchIcon />
          </span>
          <Dialog title={t("frame.menu")} isOpen={isOpen} onClose={() => setOpen(false)} shape="drawer">
            <div className={styles.rail}>
              <Navigation />
            </div>
          </Dialog>
        </header>
      ) : (
        <header className={styles.rail}>
          <Brand />
          <SearchButton />
          <Navigation />
        </header>
      )}
      <div className={styles.content}>
        <Notices />
        <main id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Finder />
    </div>
  );
}

/** What is wrong with the page as a whole. */
function Notices() {
  const { failed } = useExtensions();
  return (
    <div>
      <OfflineBar />
      <NewVersionBar />
      <ModelChangedBar />
      {failed.map(({ name, message }) => (
        <Banner key={name} kind="wrong">
          {t("extension.failed", { name, message })}
        </Banner>
      ))}
    </div>
  );
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const change = () => setMatches(media.matches);
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, [query]);
  return matches;
}
