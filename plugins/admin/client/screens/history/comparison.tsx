import type { VersionContent, VersionView } from "../../../src/wire/history.js";
import type { Leaves } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Select } from "../../ui/field.js";
import { Banner, Bone, Failed, useIsSlow } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import type { OpenDocument } from "../edit/open-document.js";
import { differing, restoreInto } from "./compare.js";
import { Differences } from "./differences.js";
import { useVersion } from "./history-requests.js";
import styles from "./history.module.css";
import type { ReadVersion } from "./version-leaves.js";
import { VersionProblems } from "./version-problems.js";
import { actionOf, authorOf, timeOf } from "./version-words.js";

interface ComparisonProps {
  readonly opened: OpenDocument;
  readonly versions: readonly VersionView[];
  readonly version: VersionView;
  /** What it is compared with; undefined: the form as it is now. */
  readonly other: VersionView | undefined;
  readonly isReadOnly: boolean;
  readonly compareWith: (id: string | undefined) => void;
}

/** What differs between a version and the form, or another version; each difference can go back to the form. */
export function Comparison({ opened, versions, version, other, isReadOnly, compareWith }: ComparisonProps) {
  const { store, place } = opened;
  const first = useVersion(place, version.id, () => store.leaves);
  const second = useVersion(place, other?.id, () => store.leaves);
  const isSlow = useIsSlow(first.isPending);
  const error = first.error ?? second.error;
  if (error) return <Failed error={error} retry={() => void first.refetch()} />;
  const read = first.data;
  const with_ = other ? second.data : undefined;
  return (
    <>
      <header className={styles.comparisonHead}>
        <div>
          <h2>{t("history.version", { time: timeOf(version.at) })}</h2>
          <p className={styles.note}>
            {t("history.versionBy", { action: actionOf(version), name: authorOf(version) })}
          </p>
        </div>
        <div className={styles.with}>
          <label htmlFor="compare-with">{t("history.with")}</label>
          <Select
            id="compare-with"
            value={other?.id ?? ""}
            onChange={({ target }) => compareWith(target.value || undefined)}
          >
            <option value="">{t("history.now")}</option>
            {versions.map(({ id, at, ...rest }) =>
              id === version.id ? null : (
                <option key={id} value={id}>
                  {`${timeOf(at)}, ${authorOf(rest)}`}
                </option>
              ),
            )}
          </Select>
        </div>
      </header>
      {!read || (other && !with_) ? (
        isSlow && <Bone height="12rem" />
      ) : (
        <Shown {...{ opened, read, isReadOnly }} versions={versions} other={with_} />
      )}
    </>
  );
}

interface ShownProps {
  readonly opened: OpenDocument;
  readonly versions: readonly VersionView[];
  readonly read: ReadVersion;
  readonly other: ReadVersion | undefined;
  readonly isReadOnly: boolean;
}

function Shown({ opened, versions, read, other, isReadOnly }: ShownProps) {
  const { store } = opened;
  const { attributes, shapes } = store;
  const { version, leaves, names } = read;
  const now: Leaves = other?.leaves ?? store.leaves;
  const isEarlier = !other || place(versions, version) > place(versions, other.version);
  const [from, to] = isEarlier ? [leaves, now] : [now, leaves];
  const common = other ? new Set([...names].filter((name) => other.names.has(name))) : names;
  const toForm = { shapes, from: leaves, to: store.leaves };
  const restorable = differing(toForm, attributes).filter((name) => names.has(name) && attributes[name]?.isEditable);
  const restore = (wanted: readonly string[]) => {
    const undo = wanted.map((name) => restoreInto(store, name, leaves));
    const field = wanted.length === 1 ? attributes[wanted[0] ?? ""]?.label : undefined;
    const text =
      field === undefined ? t("history.restoredAll", { count: wanted.length }) : t("history.restored", { field });
    sayDone(text, {
      label: t("history.undo"),
      run: () => {
        for (const back of undo.toReversed()) back();
      },
    });
  };
  return (
    <>
      <VersionProblems version={version} attributes={attributes} />
      {!isReadOnly && restorable.length > 0 && (
        <Banner
          action={
            <Button isSmall icon="undo-2" onClick={() => restore(restorable)}>
              {t("history.restoreAll")}
            </Button>
          }
        >
          {t("history.restore.text")}
        </Banner>
      )}
      <div className={styles.sheet}>
        <Differences
          {...{ shapes, attributes, from, to }}
          names={common}
          aside={(name) =>
            !isReadOnly &&
            restorable.includes(name) && (
              <Button isSmall icon="undo-2" onClick={() => restore([name])}>
                <span aria-hidden="true">{t("history.restore")}</span>
                <span className="visually-hidden">
                  {t("history.restoreField", { field: attributes[name]?.label ?? name })}
                </span>
              </Button>
            )
          }
        />
      </div>
    </>
  );
}

/** Its place in the list, of which the newest is the first. */
const place = (versions: readonly VersionView[], { id }: VersionContent): number =>
  versions.findIndex((version) => version.id === id);
