import type { EditorView } from "prosemirror-view";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { TextInput } from "../../ui/field.js";
import bar from "../bar/bar.module.css";
import styles from "./blocks.module.css";
import { completeUrl, linkRange, removeLink, setLink } from "./link-commands.js";
import { placeBelow } from "./place-below.js";

interface LinkFormProps {
  readonly id: string;
  readonly view: EditorView;
  readonly onClose: () => void;
}

/** Asks for the address of a link, below it. Escape leaves things as they were. */
export function LinkForm({ id, view, onClose }: LinkFormProps) {
  const form = useRef<HTMLDivElement>(null);
  const [range] = useState(() => linkRange(view.state));
  const [url, setUrl] = useState(String(range.link?.attrs["url"] ?? ""));
  const [isRefused, setRefused] = useState(false);
  useLayoutEffect(() => {
    placeBelow(form.current, view, range.from);
    form.current?.querySelector("input")?.select();
  }, [view, range]);
  const done = () => {
    onClose();
    view.focus();
  };
  const set = () => {
    if (completeUrl(url) === undefined) return setRefused(true);
    setLink(url, range)(view.state, view.dispatch);
    done();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === "Enter" && event.target instanceof HTMLInputElement;
    if (!isEnter && event.key !== "Escape") return;
    // Neither the form of the document nor a window around it is meant.
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) set();
    else done();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and this is no form of its own, as forms do not nest
    <div
      ref={form}
      role="group"
      aria-label={t("blocks.link")}
      className={classNames(bar.popup, styles.link)}
      onKeyDown={onKeyDown}
    >
      <TextInput
        aria-label={t("blocks.link.address")}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? `${id}-link-problem` : undefined}
        inputMode="url"
        dir="ltr"
        placeholder="https://"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Button look="primary" isSmall onClick={set}>
        {t("blocks.link.set")}
      </Button>
      {range.link && (
        <IconButton
          icon="trash-2"
          isSmall
          label={t("blocks.link.remove")}
          onClick={() => {
            removeLink(range)(view.state, view.dispatch);
            done();
          }}
        />
      )}
      <IconButton icon="x" isSmall label={t("action.close")} onClick={done} />
      {isRefused && (
        <p id={`${id}-link-problem`} role="alert" className={styles.problem}>
          {t("blocks.link.refused")}
        </p>
      )}
    </div>
  );
}
