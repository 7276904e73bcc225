import { useEffect, useRef, useState } from "react";
import { TextInput } from "./field.js";
import { Icon } from "./icon.js";
import styles from "./search-box.module.css";
import { useRested } from "./use-rested.js";

/** How long typing has to rest before it is searched for, in milliseconds. */
const REST = 250;

interface SearchBoxProps {
  /** What is searched for now. */
  readonly value: string;
  readonly onSearch: (value: string) => void;
  readonly label: string;
  readonly hint: string;
  readonly id?: string | undefined;
}

/** Searches for what is typed, once it rests, and shows what is searched for. */
export function SearchBox({ value, onSearch, label, hint, id }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const rested = useRested(typed, REST);
  const known = useRef(value);
  useEffect(() => {
    // It changed by itself: by the back button, or by what clears the search.
    if (value !== known.current) {
      known.current = value;
      setTyped(value);
    } else if (rested === typed && rested !== known.current) {
      known.current = rested;
      onSearch(rested);
    }
  });
  return (
    <span className={styles.box}>
      <Icon name="search" size={1} />
      <TextInput
        id={id}
        type="search"
        aria-label={label}
        placeholder={hint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </span>
  );
}
