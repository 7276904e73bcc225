import { useState } from "react";
import type { ComponentView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { TextInput } from "../../ui/field.js";
import { isIconName } from "../../ui/icon.js";
import styles from "./items.module.css";

/** From how many kinds on they can be searched. */
const SEARCHED = 7;

interface ComponentPickerProps {
  readonly kinds: readonly string[];
  readonly onPick: (uid: string) => void;
}

/** Chooses a component, by category. */
export function ComponentPicker({ kinds, onPick }: ComponentPickerProps) {
  const { components } = useSession();
  const [typed, setTyped] = useState("");
  const known = kinds.flatMap((uid) => components.get(uid) ?? []);
  const found = known.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <div className={styles.kinds}>
      {known.length >= SEARCHED && (
        <TextInput
          type="search"
          autoFocus
          aria-label={t("items.search")}
          placeholder={t("items.search")}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <div className={styles.kindList}>
        {categoriesOf(found).map(({ category, members }) => (
          <section key={category} aria-label={category}>
            <p className={styles.category}>{category}</p>
            {members.map(({ uid, label, icon }) => (
              <Button
                key={uid}
                look="quiet"
                isWide
                icon={isIconName(icon) ? icon : "component"}
                onClick={() => onPick(uid)}
              >
                {label}
              </Button>
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

interface Category {
  readonly category: string;
  readonly members: readonly ComponentView[];
}

function categoriesOf(components: readonly ComponentView[]): readonly Category[] {
  const names = [...new Set(components.map(({ category }) => category))];
  return names.map((category) => ({ category, members: components.filter((one) => one.category === category) }));
}
