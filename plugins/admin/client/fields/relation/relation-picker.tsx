import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import type { RelatedEntry } from "../../../src/wire/content.js";
import type { AttributeView } from "../../../src/wire/model.js";
import { mayDo, useSession } from "../../app/session.js";
import { useForm } from "../../form/form-context.js";
import { linkKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { type FieldIds, inputClass, Select } from "../../ui/field.js";
import overlay from "../../ui/overlay.module.css";
import { classNames } from "../../ui/class-names.js";
import { ADD } from "../../ui/move-focus.js";
import { messageOf, StateBadge } from "../../ui/state.js";
import { useRested } from "../../ui/use-rested.js";
import { CreateInPlace } from "./create-in-place.js";
import styles from "./relation.module.css";
import { findCandidates } from "./relations-api.js";

/** How long typing rests before it is searched for, in milliseconds. */
const REST = 250;
const MORE = "more";

interface RelationPickerProps {
  readonly ids: FieldIds;
  readonly attribute: AttributeView;
  /** As the server has it. */
  readonly path: string;
  readonly chosen: readonly RelatedEntry[];
  /** Links that were taken out and not saved yet: they can be chosen again. */
  readonly removed: readonly RelatedEntry[];
  /** Whether there are links that were not read: the server leaves them out. */
  readonly hasUnread: boolean;
  readonly onPick: (entry: RelatedEntry) => void;
}

/** Finds documents to link, by title and by id; the server searches and pages. A new one can be made in place. */
export function RelationPicker(props: RelationPickerProps) {
  const { ids, attribute, path, chosen, removed, hasUnread, onPick } = props;
  const session = useSession();
  const targets = attribute.target ? [attribute.target] : (attribute.targets ?? []);
  const [type, setType] = useState(targets[0]);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const pages = useCandidates({
    path,
    text: useRested(typed, REST),
    type: attribute.target ? undefined : type,
    isOpen,
    hasUnread,
  });
  const links = new Set(chosen.map(linkKey));
  const again = hasUnread ? removed.filter((entry) => entry.uid === type && hasText(entry, typed)) : [];
  const found = [...again, ...(pages.data?.pages.flatMap(({ data }) => data) ?? [])].filter(
    (entry) => !links.has(linkKey(entry)),
  );
  const pick = (key: React.Key | null) => {
    if (key === MORE) return void pages.fetchNextPage();
    const entry = found.find((candidate) => linkKey(candidate) === key);
    if (!entry) return;
    setTyped("");
    onPick(entry);
  };
  const mayCreate = type !== undefined && mayDo(session, type, "create") && session.types.has(type);
  const label = type === undefined ? "" : (session.types.get(type)?.label ?? type);
  return (
    <>
      {targets.length > 1 && <TypeSelect types={targets} value={type} onChange={setType} />}
      <ComboBox
        className={styles.picker ?? ""}
        aria-labelledby={ids.labelId}
        {...(ids.describedBy ? { "aria-describedby": ids.describedBy } : {})}
        isInvalid={ids.isInvalid}
        menuTrigger="focus"
        allowsEmptyCollection
        items={[...found.map((entry) => ({ id: linkKey(entry), entry })), ...(pages.hasNextPage ? [{ id: MORE }] : [])]}
        inputValue={typed}
        onInputChange={setTyped}
        onOpenChange={setOpen}
        selectedKey={null}
        onSelectionChange={pick}
      >
        <Input
          {...(mayCreate ? {} : ADD)}
          id={ids.id}
          className={inputClass ?? ""}
          placeholder={t("relation.search", { type: label })}
        />
        <Popover className={classNames(overlay.popover, styles.popover)} offset={4}>
          <ListBox<Option>
            className={styles.options ?? ""}
            renderEmptyState={() => (
              <p className={styles.note}>
                {pages.error
                  ? messageOf(pages.error)
                  : pages.isFetching
                    ? t("relation.searching")
                    : t("relation.nothing")}
              </p>
            )}
          >
            {(option) => <OptionRow option={option} />}
          </ListBox>
        </Popover>
      </ComboBox>
      {mayCreate && <CreateButton uid={type} label={label} onDone={onPick} />}
    </>
  );
}

interface CreateButtonProps {
  readonly uid: string;
  readonly label: string;
  readonly onDone: (entry: RelatedEntry) => void;
}

function CreateButton({ uid, label, onDone }: CreateButtonProps) {
  const [isCreating, setCreating] = useState(false);
  return (
    <span>
      <Button {...ADD} isSmall look="quiet" icon="plus" onClick={() => setCreating(true)}>
        {t("relation.create", { type: label })}
      </Button>
      {isCreating && (
        <CreateInPlace
          uid={uid}
          onClose={() => setCreating(false)}
          onDone={(entry) => {
            setCreating(false);
            onDone(entry);
          }}
        />
      )}
    </span>
  );
}

interface TypeSelectProps {
  readonly types: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (uid: string) => void;
}

/** Of a relation to several types: the one that is looked in. */
function TypeSelect({ types, value, onChange }: TypeSelectProps) {
  const known = useSession().types;
  return (
    <Select aria-label={t("relation.type")} value={value} onChange={({ target }) => onChange(target.value)}>
      {types.map((uid) => (
        <option key={uid} value={uid}>
          {known.get(uid)?.label ?? uid}
        </option>
      ))}
    </Select>
  );
}

const hasText = ({ title }: RelatedEntry, text: string): boolean =>
  title.toLowerCase().includes(text.trim().toLowerCase());

interface Option {
  readonly id: string;
  readonly entry?: RelatedEntry;
}

function OptionRow({ option: { id, entry } }: { readonly option: Option }) {
  if (!entry)
    return (
      <ListBoxItem id={id} textValue={t("list.more")} className={styles.option ?? ""}>
        {t("list.more")}
      </ListBoxItem>
    );
  return (
    <ListBoxItem id={id} textValue={entry.title} className={styles.option ?? ""}>
      {entry.picture && <img className={styles.picture} src={entry.picture} alt="" loading="lazy" />}
      <span className={styles.names}>
        <span className={styles.title}>{entry.title}</span>
        {entry.subtitle && <span className={styles.subtitle}>{entry.subtitle}</span>}
      </span>
      <StateBadge state={entry.state} />
    </ListBoxItem>
  );
}

interface Search {
  readonly path: string;
  readonly text: string;
  readonly type: string | undefined;
  readonly isOpen: boolean;
  readonly hasUnread: boolean;
}

function useCandidates({ path, text, type, isOpen, hasUnread }: Search) {
  const { uid, locale, ownId } = useForm();
  const without = hasUnread ? ownId : undefined;
  return useInfiniteQuery({
    queryKey: ["candidates", uid, path, text, type, locale, without],
    queryFn: ({ pageParam: cursor, signal }) =>
      findCandidates({ uid, path, text, type, locale, cursor, without }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.nextCursor,
    enabled: isOpen,
    // What is on the screen can be chosen until the next answer is there.
    placeholderData: keepPreviousData,
  });
}
