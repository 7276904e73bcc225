import { useParams } from "@tanstack/react-router";
import { ExtensionPart } from "../../app/extension-part.js";
import { textOf, useExtensions } from "../../app/extensions.js";
import { NotFound } from "../../app/not-found.js";
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
  if (!page) return <NotFound />;
  return (
    <div className={styles.screen}>
      <title>{textOf(page.title)}</title>
      <h1>{textOf(page.title)}</h1>
      <ExtensionPart owner={extension} part={page.page} props={{}} />
    </div>
  );
}
