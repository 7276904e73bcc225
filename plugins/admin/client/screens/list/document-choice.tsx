import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AttributeView } from "../../../src/wire/model.js";
import { findCandidates } from "../../fields/relation/relations-api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { TextInput } from "../../ui/field.js";
import { messageOf } from "../../ui/state.js";
import { useRested } from "../../ui/use-rested.js";
import { useTitles } from "./document-titles.js";
import styles from "./list.module.css";

/** How long typing rests before it is searched for, in milliseconds. */
const REST = 250;

interface DocumentChoiceProps {
  readonly uid: string;
  readonly path: readonly string[];
  readonly attribute: AttributeView;
  /** Ids of documents. */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Documents that a relation may lead to: the server searches and pages. Those that are chosen stand first. */
export function DocumentChoice({ uid, path, attribute, values, onChange }: DocumentChoiceProps) {
  const [typed, setTyped] = useState("");
  const pages = useFound(uid, path.join("."), useRested(typed, REST));
  const titleOf = useTitles(attribute.target ?? "", values);
  const found = (pages.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter((entry) => !values.includes(entry.documentId));
  const options = [
    ...values.map((id) => ({ id, title: titleOf(id) })),
    ...found.map(({ documentId, title }) => ({ id: documentId, title })),
  ];
  return (
    <fieldset className={styles.choices}>
      <legend>{t("filter.documents")}</legend>
      <TextInput
        type="search"
        aria-label={t("list.search", { type: attribute.label })}
        placeholder={t("list.searchHint")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className={styles.options}>
        {options.map(({ id, title }) => (
          <label key={id} className={styles.option}>
            <input
              type="checkbox"
              className={styles.check}
              checked={values.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...values, id] : values.filter((other) => other !== id))
              }
            />
            <span>{title}</span>
          </label>
        ))}
        {pages.error && <p className={styles.soft}>{messageOf(pages.error)}</p>}
        {pages.isSuccess && options.length === 0 && <p className={styles.soft}>{t("relation.nothing")}</p>}
        {pages.hasNextPage && (
          <Button isSmall look="quiet" onClick={() => void pages.fetchNextPage()}>
            {t("list.more")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function useFound(uid: string, path: string, text: string) {
  return useInfiniteQuery({
    queryKey: ["candidates", uid, path, text],
    queryFn: ({ pageParam, signal }) =>
      findCandidates(
        { uid, path, text, type: undefined, locale: undefined, without: undefined, cursor: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: keepPreviousData,
  });
}
