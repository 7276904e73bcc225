import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { DeletedView } from "../../../src/wire/history.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import { NotFound } from "../../app/not-found.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import editStyles from "../edit/edit.module.css";
import { titleOf } from "../list/row-title.js";
import { DeletedDialog } from "./deleted-dialog.js";
import styles from "./history.module.css";
import { type Restore, useRestore } from "./use-restore.js";
import { authorOf, timeOf } from "./version-words.js";

/** Documents that are listed: the history keeps them for as long as it keeps versions. */
const MOST = 100;

/** The documents of a type that were deleted; each can come back as a draft. */
export function DeletedScreen() {
  const { uid = "" } = useParams({ strict: false });
  const type = useSession().types.get(uid);
  return type ? <Deleted type={type} /> : <NotFound />;
}

function Deleted({ type }: { readonly type: TypeView }) {
  const { uid, title, label } = type;
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["history", uid, "deleted"],
    queryFn: async ({ signal }) => {
      const path = `/history/${uid}?limit=${MOST}&attributes=${encodeURIComponent(title)}`;
      return (await api<{ readonly data: readonly DeletedView[] }>(path, { signal })).data;
    },
    staleTime: 0,
  });
  const isSlow = useIsSlow(isPending);
  const [looked, setLooked] = useState<DeletedView>();
  const restore = useRestore(type);
  return (
    <div className={styles.deleted}>
      <title>{t("deleted.title", { type: label })}</title>
      <header className={editStyles.names}>
        <Link to="/content/$uid" params={{ uid }} className={editStyles.back}>
          <Icon name="chevron-left" size={0.875} />
          {label}
        </Link>
        <h1>{t("deleted.title", { type: label })}</h1>
      </header>
      {error && <Failed error={error} retry={() => void refetch()} action="plugin::admin.history" />}
      {isPending && isSlow && <Bone height="8rem" />}
      {data?.length === 0 && <Empty icon="trash-2" title={t("deleted.empty")} text={t("deleted.empty.text")} />}
      {data && data.length > 0 && (
        <ul className={styles.deletedList}>
          {data.map((each) => (
            <Row key={each.id} type={type} document={each} onLook={() => setLooked(each)} restore={restore} />
          ))}
        </ul>
      )}
      {looked && <DeletedDialog type={type} document={looked} restore={restore} onClose={() => setLooked(undefined)} />}
    </div>
  );
}

interface RowProps {
  readonly type: TypeView;
  readonly document: DeletedView;
  readonly onLook: () => void;
  readonly restore: Restore | undefined;
}

function Row({ type, document, onLook, restore }: RowProps) {
  const { locales } = useSession();
  const name = titleOf(type, { ...document.data, documentId: document.documentId });
  const language = locales.find(({ code }) => code === document.locale)?.name ?? document.locale;
  const words = { name: authorOf(document), time: timeOf(document.at) };
  return (
    <li className={styles.deletedRow}>
      <span className={styles.deletedName}>
        <strong>{name}</strong>
        <span className={styles.note}>{[language, t("deleted.by", words)].filter(Boolean).join(" · ")}</span>
      </span>
      <Button isSmall aria-label={t("deleted.lookAt", { name })} onClick={onLook}>
        {t("deleted.look")}
      </Button>
      {restore && (
        <Button
          isSmall
          icon="undo-2"
          aria-label={t("deleted.restoreOne", { name })}
          onClick={() => void restore(document)}
        >
          {t("deleted.restore")}
        </Button>
      )}
    </li>
  );
}
