import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { ICON_PATHS } from "../../ui/icon-paths.js";
import { Icon, isIconName } from "../../ui/icon.js";
import styles from "./builder.module.css";
import { CheckControl, SelectControl, TextControl } from "./controls.js";
import { allAttributesOf, type DraftedShape, getAt, moved, PAGE, setAt, withSchema } from "./draft.js";
import { LayoutOptions } from "./layout-options.js";
import { OrderedRow } from "./ordered-row.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

interface PageProps {
  readonly shape: DraftedShape;
  readonly isReadOnly: boolean;
}

/** What a schema says to the page: its place, its list, its form. It is kept in the schema file. */
export function PageOptions({ shape, isReadOnly }: PageProps) {
  const { problems, change } = useDraft();
  const { plugins } = useSession();
  const { uid, schema } = shape;
  const isType = shape.shape === "type";
  const at = (key: string) => problemsAt(problems, uid, `pluginOptions.admin.${key}`).map(problemText);
  const get = (key: string) => getAt(schema, [...PAGE, key]);
  const set = (key: string) => (value: unknown) =>
    change((draft) => withSchema(draft, uid, setAt(schema, [...PAGE, key], value)));
  const names = Object.entries(allAttributesOf(shape))
    .filter(([, { type }]) => TITLE_KINDS.includes(String(type)))
    .map(([name]) => ({ value: name, label: name }));
  const icon = String(get("icon") ?? "");
  const hasDrafts = getAt(schema, ["options", "draftAndPublish"]) === true;
  return (
    <section className={styles.sheet} aria-label={t("builder.onPage")}>
      <h3>{t("builder.onPage")}</h3>
      <div className={styles.pair}>
        {isType && (
          <TextControl
            label={t("builder.page.group")}
            {...{ isReadOnly, value: String(get("group") ?? ""), problems: at("group") }}
            onChange={(value) => set("group")(value || undefined)}
          />
        )}
        <div className={styles.withIcon}>
          <SelectControl
            label={t("builder.page.icon")}
            {...{ isReadOnly, value: icon, problems: at("icon") }}
            choices={[{ value: "", label: t("builder.byKind") }, ...ICONS]}
            onChange={(value) => set("icon")(value || undefined)}
          />
          {isIconName(icon) && <Icon name={icon} size={1.5} />}
        </div>
        <SelectControl
          label={t("builder.page.title")}
          {...{ isReadOnly, value: String(get("title") ?? ""), problems: at("title") }}
          choices={[{ value: "", label: t("builder.automatic") }, ...names]}
          onChange={(value) => set("title")(value || undefined)}
        />
      </div>
      {isType && (
        <div className={styles.pair}>
          {hasDrafts && (
            <CheckControl
              {...{ isReadOnly, label: t("builder.page.autosave"), problems: at("autosave") }}
              value={get("autosave") === true}
              onChange={(on) => set("autosave")(on || undefined)}
            />
          )}
          {plugins.includes("history") && (
            <CheckControl
              {...{ isReadOnly, label: t("builder.page.history"), problems: at("history") }}
              value={get("history") !== false}
              onChange={(on) => set("history")(on ? undefined : false)}
            />
          )}
        </div>
      )}
      {isType && <ListColumns {...{ shape, isReadOnly, problems: at("list"), onChange: set("list") }} />}
      <LayoutOptions {...{ shape, isReadOnly, problems: at("layout"), onChange: set("layout") }} />
    </section>
  );
}

const TITLE_KINDS = ["string", "email", "uid", "text", "enumeration"];
const ICONS = Object.keys(ICON_PATHS)
  .sort()
  .map((name) => ({ value: name, label: name }));

interface ListProps extends PageProps {
  readonly problems: readonly string[];
  readonly onChange: (value: unknown) => void;
}

const LIST = "builder-columns";

/** The columns of the list, in their order; none: they are chosen by kind. */
function ListColumns({ shape, isReadOnly, problems, onChange }: ListProps) {
  const given = getAt(shape.schema, [...PAGE, "list"]);
  const chosen = Array.isArray(given) ? given.map(String) : [];
  const rest = Object.keys(allAttributesOf(shape)).filter((name) => !chosen.includes(name));
  const change = (next: readonly string[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <section className={styles.part} id={LIST} aria-label={t("builder.page.list")}>
      <h4>{t("builder.page.list")}</h4>
      {chosen.length === 0 && <p className={styles.soft}>{t("builder.page.list.automatic")}</p>}
      {chosen.map((name, index) => (
        <OrderedRow
          key={name}
          list={LIST}
          {...{ name, index, isReadOnly, count: chosen.length }}
          onMove={(from, to) => change(moved(chosen, from, to))}
        >
          <span className={styles.grow}>{name}</span>
          {!isReadOnly && (
            <Button
              isSmall
              look="quiet"
              icon="x"
              aria-label={t("builder.removeColumn", { name })}
              onClick={() => change(chosen.filter((other) => other !== name))}
            >
              <span className={styles.wideOnly}>{t("builder.leaveOut")}</span>
            </Button>
          )}
        </OrderedRow>
      ))}
      {problems.map((problem) => (
        <p key={problem} className={styles.wrong}>
          {problem}
        </p>
      ))}
      {!isReadOnly && rest.length > 0 && (
        <SelectControl
          label={t("builder.addColumn")}
          value=""
          choices={[{ value: "", label: t("builder.pick") }, ...rest.map((name) => ({ value: name, label: name }))]}
          onChange={(name) => name !== "" && change([...chosen, name])}
        />
      )}
    </section>
  );
}
