import { useState } from "react";
import { useSession } from "../../../app/session.js";
import { ownZone } from "../../../fields/date/date-text.js";
import { t } from "../../../messages/text.js";
import { IconButton } from "../../../ui/button.js";
import { Select, TextInput } from "../../../ui/field.js";
import { clockAt } from "../../plans/zoned-time.js";
import { Labelled } from "../frame/labelled.js";
import own from "./audit.module.css";
import { type AuditSearch, type ChangeAuditSearch, RESULTS, SPANS } from "./audit-search.js";
import { ACTS, actText, knownUids, typeText } from "./entry-words.js";

interface AuditFilterProps {
  readonly search: AuditSearch;
  readonly change: ChangeAuditSearch;
}

/** Narrows the log; all of it holds together. */
export function AuditFilter({ search, change }: AuditFilterProps) {
  const session = useSession();
  const { actor, action, result, uid, documentId } = search;
  return (
    <fieldset className={own.filter}>
      <legend className="visually-hidden">{t("filter.button")}</legend>
      <TimeFilter search={search} change={change} />
      <ActionFilter value={action} change={change} />
      <Labelled label={t("audit.result")}>
        {(id) => (
          <Select
            id={id}
            value={result ?? ""}
            onChange={({ target }) => change({ result: RESULTS.find((each) => each === target.value) })}
          >
            <option value="">{t("users.all")}</option>
            {RESULTS.map((each) => (
              <option key={each} value={each}>
                {t(`audit.result.${each}`)}
              </option>
            ))}
          </Select>
        )}
      </Labelled>
      <Labelled label={t("audit.type")}>
        {(id) => (
          <Select id={id} value={uid ?? ""} onChange={({ target }) => change({ uid: target.value || undefined })}>
            <option value="">{t("users.all")}</option>
            {[...new Set([...knownUids(session), ...(uid ? [uid] : [])])].map((each) => (
              <option key={each} value={each}>
                {typeText(each, session)}
              </option>
            ))}
          </Select>
        )}
      </Labelled>
      <TextFilter label={t("audit.actor")} value={actor} onChange={(next) => change({ actor: next })} />
      <TextFilter label={t("audit.document")} value={documentId} onChange={(next) => change({ documentId: next })} />
    </fieldset>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Asks when the field is left or Enter is pressed: half an id finds nothing. */
function TextFilter({ label, value = "", onChange }: TextFilterProps) {
  const [known, setKnown] = useState(value);
  const [text, setText] = useState(value);
  // The address is another one: this field or something else on the screen changed it.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const commit = () => {
    if (text.trim() !== value) onChange(text.trim() || undefined);
  };
  return (
    <Labelled label={label}>
      {(id) => (
        <span className={own.text}>
          <TextInput
            id={id}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
            onBlur={commit}
            onKeyDown={({ key }) => {
              if (key === "Enter") commit();
            }}
          />
          {value !== "" && (
            <IconButton
              icon="x"
              isSmall
              label={t("filter.remove", { filter: label })}
              onClick={() => onChange(undefined)}
            />
          )}
        </span>
      )}
    </Labelled>
  );
}

/** Groups of acts, which the server knows by their beginning. */
const AREAS = ["document", "auth", "access", "command", "schedule", "release", "audit"] as const;

function ActionFilter({ value, change }: { readonly value: string | undefined; readonly change: ChangeAuditSearch }) {
  const known = AREAS.map((area) => ({ area, acts: ACTS.filter((act) => act.startsWith(`${area}.`)) }));
  const isOther = value !== undefined && !ACTS.includes(value) && !AREAS.some((area) => value === `${area}.*`);
  return (
    <Labelled label={t("audit.action")}>
      {(id) => (
        <Select id={id} value={value ?? ""} onChange={({ target }) => change({ action: target.value || undefined })}>
          <option value="">{t("users.all")}</option>
          {isOther && <option value={value}>{value}</option>}
          {known.map(({ area, acts }) => (
            <optgroup key={area} label={t(`audit.area.${area}`)}>
              <option value={`${area}.*`}>{t("audit.area.all", { area: t(`audit.area.${area}`) })}</option>
              {acts.map((act) => (
                <option key={act} value={act}>
                  {actText(act)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      )}
    </Labelled>
  );
}

const CUSTOM = "custom";

/** A span that ends now, or two times. */
function TimeFilter({ search: { since, until }, change }: AuditFilterProps) {
  const span = SPANS.find((each) => each === since && until === undefined);
  const hasTimes = span === undefined && (since !== undefined || until !== undefined);
  // A time that is half typed is none, and its field stays for the rest of it.
  const [isChosen, setChosen] = useState(hasTimes);
  const isCustom = hasTimes || (isChosen && span === undefined);
  const choose = (value: string) => {
    setChosen(value === CUSTOM);
    if (value !== CUSTOM) return change({ since: value || undefined, until: undefined });
    const day = new Date();
    day.setHours(0, 0, 0, 0);
    change({ since: day.toISOString(), until: undefined });
  };
  return (
    <>
      <Labelled label={t("audit.time")}>
        {(id) => (
          <Select id={id} value={isCustom ? CUSTOM : (span ?? "")} onChange={({ target }) => choose(target.value)}>
            <option value="">{t("audit.time.always")}</option>
            {SPANS.map((each) => (
              <option key={each} value={each}>
                {t(`audit.time.${each}`)}
              </option>
            ))}
            <option value={CUSTOM}>{t("audit.time.custom")}</option>
          </Select>
        )}
      </Labelled>
      {isCustom && (
        <>
          <TimeInput label={t("audit.since")} value={since} onChange={(next) => change({ since: next })} />
          <TimeInput label={t("audit.until")} value={until} onChange={(next) => change({ until: next })} />
        </>
      )}
    </>
  );
}

function TimeInput({ label, value, onChange }: TextFilterProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <TextInput
          id={id}
          type="datetime-local"
          value={clockAt(value ?? "", ownZone())}
          onChange={({ target }) => {
            const date = new Date(target.value);
            onChange(Number.isNaN(date.getTime()) ? undefined : date.toISOString());
          }}
        />
      )}
    </Labelled>
  );
}
