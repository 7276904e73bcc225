import { formatBytes } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { messageOf } from "../../ui/state.js";
import type { QueuedFile } from "./upload-queue.js";
import styles from "./uploads.module.css";
import type { Uploads } from "./use-uploads.js";

/** Files on their way, each with its progress and what went wrong. */
export function UploadsPanel({ queue, files }: Uploads) {
  if (files.length === 0) return null;
  const done = files.filter(({ state }) => state === "done").length;
  const failed = files.filter(({ state }) => state === "failed").length;
  return (
    <section className={styles.panel} aria-label={t("upload.title")}>
      <div className={styles.head}>
        <h2>
          {queue.isBusy ? t("upload.busy", { done, count: files.length }) : null}
          {!queue.isBusy && (failed > 0 ? t("upload.failed", { count: failed }) : t("upload.done", { count: done }))}
        </h2>
        {done + failed > 0 && (
          <Button isSmall look="quiet" onClick={() => queue.clear()}>
            {t("upload.clear")}
          </Button>
        )}
      </div>
      <ul>
        {files.map((file) => (
          <li key={file.id} className={styles.item} data-state={file.state}>
            <Item file={file} queue={queue} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Item({ file, queue }: { readonly file: QueuedFile } & Pick<Uploads, "queue">) {
  const { id, name, size, state, part, error } = file;
  const isMoving = state === "waiting" || state === "sending";
  return (
    <>
      <span className={styles.mark}>
        <Icon name={state === "done" ? "circle-check" : state === "failed" ? "circle-alert" : "upload"} size={1} />
      </span>
      <span className={styles.text}>
        <span className={styles.name}>{name}</span>
        {state === "failed" ? (
          <span className={styles.problem} role="alert">
            {messageOf(error)}
          </span>
        ) : (
          <span className={styles.size}>{formatBytes(size)}</span>
        )}
        {isMoving && (
          <progress
            className={styles.progress}
            aria-label={t("upload.progress", { name })}
            {...(state === "waiting" ? { value: 0 } : part < 1 ? { value: part } : {})}
          />
        )}
      </span>
      {state === "failed" && (
        <IconButton isSmall icon="refresh-cw" label={t("upload.retry", { name })} onClick={() => queue.retry(id)} />
      )}
      {state !== "done" && (
        <IconButton isSmall icon="x" label={t("upload.cancel", { name })} onClick={() => queue.cancel(id)} />
      )}
    </>
  );
}
