import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EntryList } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import type { NewReleaseAction, PlannedAction } from "../../../src/wire/plans.js";
import { api } from "../../app/api.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Field, Select, TextInput, tiedTo } from "../../ui/field.js";
import { LocaleSelect } from "../../ui/locale-select.js";
import { messageOf, StateBadge } from "../../ui/state.js";
import { useRested } from "../../ui/use-rested.js";
import { titleOf } from "../list/row-title.js";
import { ActionSelect } from "./action-select.js";
import { plannedActions } from "./planned-actions.js";
import styles from "./plans.module.css";

/** How long typing rests before it is searched for, in milliseconds. */
const REST = 250;

interface DocumentPickerProps {
  readonly chosen: readonly NewReleaseAction[];
  readonly onChange: (chosen: readonly NewReleaseAction[]) => void;
}

/** Chooses documents of one type after the other, and what is done with them: the server searches. */
export function DocumentPicker({ chosen, onChange }: DocumentPickerProps) {
  const session = useSession();
  const types = [...session.types.values()].filter(
    ({ uid, hasDrafts }) => hasDrafts && mayDo(session, uid, "find") && plannedActions(session, uid).length > 0,
  );
  const [uid, setUid] = useState(types[0]?.uid);
  const [locale, setLocale] = useState<string>();
  const [typed, setTyped] = useState("");
  const text = useRested(typed, REST);
  const [action, setAction] = useState<PlannedAction>("publish");
  const type = types.find((each) => each.uid === uid);
  if (!type) return <p className={styles.soft}>{t("release.noTypes")}</p>;
  const actions = plannedActions(session, type.uid);
  const usual = session.locales.find(({ isDefault }) => isDefault)?.code;
  const place = type.isLocalized ? (locale ?? usual) : undefined;
  const done = actions.includes(action) ? action : (actions[0] ?? "publish");
  return (
    <fieldset className={styles.picker}>
      <legend>{t("release.pick")}</legend>
      <div className={styles.pickerBar}>
        <Field label={t("release.type")}>
          {(ids) => (
            <Select {...tiedTo(ids)} value={type.uid} onChange={({ target }) => setUid(target.value)}>
              {types.map((each) => (
                <option key={each.uid} value={each.uid}>
                  {each.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <ActionSelect label={t("release.action")} value={done} actions={actions} onChange={setAction} />
        {type.isLocalized && (
          <Field label={t("release.locale")} isGroup>
            {() => <LocaleSelect label={t("release.locale")} value={place} onChange={setLocale} />}
          </Field>
        )}
      </div>
      <TextInput
        type="search"
        aria-label={t("list.search", { type: type.label })}
        placeholder={t("list.searchHint")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Found {...{ type, locale: place, action: done, chosen, onChange }} text={text} />
      <p className={styles.soft} role="status">
        {t("release.chosen", { count: chosen.length })}
      </p>
    </fieldset>
  );
}

interface FoundProps extends DocumentPickerProps {
  readonly type: TypeView;
  readonly locale: string | undefined;
  readonly action: PlannedAction;
  readonly text: string;
}

function Found({ type, locale, action, text, chosen, onChange }: FoundProps) {
  const query = new URLSearchParams({
    ...{ "fields[0]": type.title, "pagination[pageSize]": "25", sort: "id:desc" },
    ...(locale === undefined ? {} : { locale }),
    ...(text === "" ? {} : { _q: text }),
  });
  const path = `/content/${type.uid}?${query}`;
  const found = useQuery({
    queryKey: ["content", type.uid, "pick", path],
    queryFn: ({ signal }) => api<EntryList>(path, { signal }),
    placeholderData: keepPreviousData,
  });
  const same = (each: NewReleaseAction, documentId: string) =>
    each.type === type.uid && each.documentId === documentId && each.locale === locale;
  return (
    <div className={styles.options}>
      {(found.data?.data ?? []).map((row) => {
        const { documentId } = row;
        const own = chosen.find((each) => same(each, documentId));
        const rest = chosen.filter((each) => !same(each, documentId));
        const made = { type: type.uid, documentId, action, ...(locale === undefined ? {} : { locale }) };
        return (
          <label key={documentId} className={styles.choice}>
            <input
              type="checkbox"
              checked={own !== undefined}
              onChange={({ target }) => onChange(target.checked ? [...rest, made] : rest)}
            />
            <span className={styles.grow}>{titleOf(type, row)}</span>
            {own && <span className={styles.soft}>{t(`plan.verb.${own.action}`)}</span>}
            <StateBadge state={row._facts.state} />
          </label>
        );
      })}
      {found.error && <p className={styles.soft}>{messageOf(found.error)}</p>}
      {found.data?.data.length === 0 && <p className={styles.soft}>{t("relation.nothing")}</p>}
    </div>
  );
}
