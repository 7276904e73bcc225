import { useQuery } from "@tanstack/react-query";
import type { ChangedDocument } from "../../../src/wire/home.js";
import { api } from "../../app/api.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Card, Loaded, Nothing } from "./card.js";
import styles from "./home.module.css";
import { Item } from "./item.js";
import { useLooked } from "./use-looked.js";

/** What others changed last; what is new since the account last looked is marked. */
export function ChangedCard() {
  const { plugins } = useSession();
  const looked = useLooked();
  // Where versions are kept, they say who changed what; elsewhere the newest documents do.
  const path = plugins.includes("history") ? "/history/recent" : "/home/changed";
  const changed = useQuery({
    queryKey: ["home", path],
    queryFn: ({ signal }) => api<{ readonly data: readonly ChangedDocument[] }>(path, { signal }),
  });
  const isNew = ({ at }: ChangedDocument) => looked !== undefined && at > looked;
  const count = changed.data?.data.filter(isNew).length ?? 0;
  return (
    <Card title={t("home.changed")} icon="users" {...(count > 0 ? { hint: t("home.changed.new", { count }) } : {})}>
      <Loaded query={changed}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t("home.changed.none")}</Nothing>
          ) : (
            data.map((document) => (
              <Item
                key={`${document.uid} ${document.documentId} ${document.locale}`}
                {...document}
                before={document.by ? t("home.by", { name: document.by.name }) : undefined}
                mark={isNew(document) && <span className={styles.new}>{t("home.new")}</span>}
              />
            ))
          )
        }
      </Loaded>
    </Card>
  );
}
