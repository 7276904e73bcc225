import type { CSSProperties } from "react";
import type { PersonAt } from "../../src/wire/live.js";
import { t } from "../messages/text.js";
import { Tooltip } from "../ui/tooltip.js";
import styles from "./faces.module.css";
import { byAccount, hueOf, initialsOf } from "./person-words.js";

/** Faces that are shown; of the rest it is said how many there are. */
const MOST = 4;

interface FacesProps {
  readonly people: readonly PersonAt[];
  /** Such as `Tom Reyes, in the field Title`. */
  readonly nameOf: (person: PersonAt) => string;
  /** A face was clicked. */
  readonly onShow: (person: PersonAt) => void;
}

/** Custom property by which a person has their colour. */
export const colourOf = (account: string): CSSProperties => ({ "--hue": hueOf(account) }) as CSSProperties;

/** Who else is here, one round mark for each. */
export function Faces({ people, nameOf, onShow }: FacesProps) {
  const all = byAccount(people);
  if (all.length === 0) return null;
  const rest = all.slice(MOST);
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
    <div className={styles.faces} role="group" aria-label={t("people.label")}>
      {all.slice(0, MOST).map((person) => (
        <Tooltip key={person.account} text={nameOf(person)}>
          <button
            type="button"
            className={styles.face}
            style={colourOf(person.account)}
            aria-label={nameOf(person)}
            onClick={() => onShow(person)}
          >
            {initialsOf(person.name)}
          </button>
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Tooltip text={rest.map(({ name }) => name).join(", ")}>
          <button type="button" className={styles.more} aria-label={rest.map(({ name }) => name).join(", ")}>
            {`+${rest.length}`}
          </button>
        </Tooltip>
      )}
    </div>
  );
}

/** How a field looks in which somebody is: a frame in their colour. */
export function frameOf([first]: readonly PersonAt[]): { readonly className?: string; readonly style?: CSSProperties } {
  return first ? { className: styles.framed ?? "", style: colourOf(first.account) } : {};
}

/** Says of a field who is in it. */
export function FieldMark({ people }: { readonly people: readonly PersonAt[] }) {
  const all = byAccount(people);
  const [first] = all;
  if (!first) return null;
  return (
    <span className={styles.mark} style={colourOf(first.account)}>
      <span className="visually-hidden">{t("people.inField")} </span>
      {all.map(({ name }) => name).join(", ")}
    </span>
  );
}
