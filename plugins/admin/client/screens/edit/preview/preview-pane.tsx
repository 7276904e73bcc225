import { type RefObject, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../app/api.js";
import { t } from "../../../messages/text.js";
import { buttonClass, IconButton } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import type { IconName } from "../../../ui/icon-paths.js";
import { Bone, Empty, Failed } from "../../../ui/state.js";
import type { OpenDocument } from "../open-document.js";
import { useDocumentState } from "../use-document.js";
import styles from "./preview.module.css";
import { usePreview } from "./use-preview.js";

type Width = "phone" | "tablet" | "full";

/** Widths of windows that the front end is shown in, in CSS pixels. */
const WIDTHS: Readonly<Record<Width, number | undefined>> = { phone: 390, tablet: 820, full: undefined };
const ICONS: Readonly<Record<Width, IconName>> = { phone: "smartphone", tablet: "tablet", full: "monitor" };

/** It may run its scripts as the front end that it is, and neither leave its frame nor open windows over the page. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups";

interface PreviewPaneProps {
  readonly opened: OpenDocument;
  readonly onClose: () => void;
}

/** The front end, beside the form of what it shows. */
export function PreviewPane({ opened, onClose }: PreviewPaneProps) {
  const { entry } = useDocumentState(opened);
  return (
    <section className={styles.pane} aria-label={t("preview.label")}>
      {entry ? (
        <Shown opened={opened} onClose={onClose} />
      ) : (
        <>
          <div className={styles.bar}>
            <CloseButton onClose={onClose} />
          </div>
          <Empty icon="eye" title={t("preview.unsaved")} text={t("preview.unsaved.text")} />
        </>
      )}
    </section>
  );
}

const CloseButton = ({ onClose }: Pick<PreviewPaneProps, "onClose">) => (
  <IconButton isSmall icon="x" label={t("preview.close")} onClick={onClose} />
);

function Shown({ opened, onClose }: PreviewPaneProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { source, url, error, reload } = usePreview(opened, frame);
  const [width, setWidth] = useState<Width>("full");
  return (
    <>
      <div className={styles.bar}>
        <fieldset className={styles.widths}>
          <legend className="visually-hidden">{t("preview.width")}</legend>
          {(Object.keys(WIDTHS) as Width[]).map((name) => (
            <IconButton
              key={name}
              isSmall
              icon={ICONS[name]}
              label={t(`preview.width.${name}`)}
              aria-pressed={name === width}
              onClick={() => setWidth(name)}
            />
          ))}
        </fieldset>
        <span className={styles.spread} />
        <IconButton isSmall icon="refresh-cw" label={t("preview.reload")} onClick={reload} />
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ look: "quiet", isSmall: true })}
            aria-label={t("preview.tab")}
            title={t("preview.tab")}
          >
            <Icon name="external-link" size={1} />
          </a>
        )}
        <CloseButton onClose={onClose} />
      </div>
      {error !== undefined && <Wrong error={error} opened={opened} retry={reload} />}
      {source === undefined ? (
        error === undefined && <Bone height="100%" />
      ) : (
        <Frame frame={frame} source={source} width={WIDTHS[width]} isHidden={error !== undefined} />
      )}
    </>
  );
}

interface WrongProps {
  readonly error: unknown;
  readonly opened: OpenDocument;
  readonly retry: () => void;
}

/** What the address needs is said by the names that the form has for it. */
function Wrong({ error, opened, retry }: WrongProps) {
  const names = error instanceof ApiError ? error.details["attributes"] : undefined;
  if (!Array.isArray(names))
    return <Failed error={error} retry={retry} action={`${opened.place.type.uid}.findDrafts`} />;
  const labels = names.map((name) => opened.place.type.attributes[String(name)]?.label ?? String(name));
  return (
    <Empty icon="eye" title={t("preview.address")} text={t("preview.address.text", { fields: labels.join(", ") })} />
  );
}

interface FrameProps {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly source: string;
  /** Undefined: that of the pane. */
  readonly width: number | undefined;
  readonly isHidden: boolean;
}

/** A window that is wider than the pane is shown smaller. */
function Frame({ frame, source, width, isHidden }: FrameProps) {
  const room = useRef<HTMLDivElement>(null);
  const available = useWidthOf(room);
  const scale = width !== undefined && available > 0 ? Math.min(1, available / width) : 1;
  return (
    <div ref={room} className={styles.room} hidden={isHidden}>
      <iframe
        ref={frame}
        // Another address is another page, whose history is none of the form's.
        key={source}
        src={source}
        title={t("preview.label")}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
        className={styles.frame}
        style={
          width === undefined
            ? undefined
            : { inlineSize: `${width}px`, blockSize: `${100 / scale}%`, transform: `scale(${scale})` }
        }
      />
    </div>
  );
}

function useWidthOf(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
