import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { EntryCount } from "../../../src/wire/content.js";
import { api } from "../../app/api.js";
import { useForm, useProblems, useValue } from "../../form/form-context.js";
import { below } from "../../form/paths.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { useRested } from "../../ui/use-rested.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import styles from "./uid-field.module.css";

/** How long typing rests before it is asked whether a value is free, in milliseconds. */
const REST = 300;

/** A name in addresses: follows its target until somebody writes it, and says while typing whether it is free. */
export function UidField({ path, attribute, isReadOnly }: InputProps) {
  const { store } = useForm();
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  const source = attribute.targetField === undefined ? undefined : below(parentOf(path), attribute.targetField);
  const [target] = useValue<string | null>(source ?? path);
  useFollowing(path, source, isReadOnly);
  const isTaken = useIsTaken(path, value);
  const isKnown = isTaken !== undefined && value !== store.baseOf(path) && problems.length === 0;
  const aside = isKnown ? t(isTaken ? "uid.taken" : "uid.free") : undefined;
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={problems}
      aside={<span aria-live="polite">{aside}</span>}
    >
      {(ids) => (
        <span className={styles.uid}>
          <TextInput
            {...tiedTo(ids)}
            dir="ltr"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={isReadOnly}
            value={value ?? ""}
            onChange={({ target: { value: typed } }) => set(typed === "" ? null : typed)}
          />
          {source && !isReadOnly && (
            <IconButton icon="refresh-cw" label={t("uid.again")} onClick={() => set(slugOf(target ?? ""))} />
          )}
        </span>
      )}
    </Field>
  );
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));

/** Takes the target's text while the value is what came of it, or nothing. */
function useFollowing(path: string, source: string | undefined, isReadOnly: boolean): void {
  const { store, documentId } = useForm();
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (source === undefined || isReadOnly || documentId !== null) return;
    return store.subscribe(source, () => {
      const value = store.get(path) ?? "";
      if (value !== "" && value !== last.current) return;
      last.current = slugOf(String(store.get(source) ?? ""));
      store.set(path, last.current === "" ? null : last.current);
    });
  }, [store, path, source, isReadOnly, documentId]);
}

/** A text as addresses have it; the server makes the last form of it. */
export const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Whether another document has a value; undefined while that is not known. */
function useIsTaken(path: string, value: string | null): boolean | undefined {
  const { uid, documentId, locale } = useForm();
  const rested = useRested(value, REST);
  const query = new URLSearchParams({
    [`filters[${path}][$eq]`]: rested ?? "",
    ...(documentId === null ? {} : { "filters[documentId][$ne]": documentId }),
    ...(locale === undefined ? {} : { locale }),
  });
  const isAsked = rested !== null && rested === value && !path.includes(".");
  const { data } = useQuery({
    queryKey: ["content", uid, "taken", query.toString()],
    queryFn: ({ signal }) => api<EntryCount>(`/content/${uid}/count?${query}`, { signal }),
    enabled: isAsked,
  });
  return isAsked && data ? data.total > 0 : undefined;
}
