import { useParams } from "@tanstack/react-router";
import { ExtensionPart } from "../../app/extension-part.js";
import { textOf, useExtensions } from "../../app/extensions.js";
import { NotFound } from "../../app/not-found.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Empty } from "../../ui/state.js";
import styles from "../home/home.module.css";

/** A screen of an extension. */
export function ExtensionScreen() {
  const { extension = "", path = "" } = useParams({ strict: false }) as {
    readonly extension?: string;
    readonly path?: string;
  };
  const { loaded } = useExtensions();
  const owner = loaded.find(({ name }) => name === extension);
  const page = owner?.extension.pages?.find((known) => known.path === path);
  const { actions } = useSession();
  if (!page) return <NotFound />;
  if (page.action !== undefined && !actions.includes(page.action))
    return <Empty icon="lock" title={t("error.forbidden")} text={t("error.forbidden.text", { action: page.action })} />;
  return (
    <div className={styles.screen}>
      <title>{textOf(page.title)}</title>
      <h1>{textOf(page.title)}</h1>
      <ExtensionPart owner={extension} part={page.page} props={{}} />
    </div>
  );
}
