import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { TextInput } from "../../ui/field.js";
import { Icon, isIconName } from "../../ui/icon.js";
import type { IconName } from "../../ui/icon-paths.js";
import styles from "./builder.module.css";
import { type DraftedShape, getAt, labelOf, PAGE, recordOf, shapesOf } from "./draft.js";
import { NewShapeDialog } from "./new-shape-dialog.js";
import { problemsAt, useDraft } from "./use-builder.js";

/** Types and components by their groups. */
export function ShapeList({ current }: { readonly current: string | undefined }) {
  const { draft, canChange } = useDraft();
  const [search, setSearch] = useState("");
  const [making, setMaking] = useState<"type" | "component">();
  const navigate = useNavigate();
  const wanted = search.trim().toLowerCase();
  const found = shapesOf(draft).filter((shape) => `${shape.uid} ${labelOf(shape)}`.toLowerCase().includes(wanted));
  const open = (uid: string) => void navigate({ to: "/builder/$uid", params: { uid } });
  return (
    <nav className={styles.list} aria-label={t("builder.schemas")}>
      <TextInput
        type="search"
        aria-label={t("builder.search")}
        placeholder={t("builder.search")}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {groupsOf(found).map(({ title, shapes }) => (
        <section key={title}>
          <h2 className={styles.heading}>{title}</h2>
          <ul>
            {shapes.map((shape) => (
              <li key={shape.uid}>
                <ShapeLink shape={shape} isCurrent={shape.uid === current} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.length === 0 && <p className={styles.soft}>{t("builder.nothingFound")}</p>}
      {canChange && (
        <div className={styles.buttons}>
          <Button isSmall icon="plus" onClick={() => setMaking("type")}>
            {t("builder.newType")}
          </Button>
          <Button isSmall icon="plus" onClick={() => setMaking("component")}>
            {t("builder.newComponent")}
          </Button>
        </div>
      )}
      {making && <NewShapeDialog shape={making} onClose={() => setMaking(undefined)} onMade={open} />}
    </nav>
  );
}

function ShapeLink({ shape, isCurrent }: { readonly shape: DraftedShape; readonly isCurrent: boolean }) {
  const { problems } = useDraft();
  const isWrong = problemsAt(problems, shape.uid).length > 0;
  return (
    <Link
      to="/builder/$uid"
      params={{ uid: shape.uid }}
      className={styles.link}
      data-state={shape.state}
      aria-current={isCurrent ? "page" : undefined}
    >
      <Icon name={iconOf(shape)} size={1.0625} />
      <span className={styles.grow}>{labelOf(shape)}</span>
      {shape.state !== "same" && <span className={styles.mark}>{t(`builder.state.${shape.state}`)}</span>}
      {isWrong && (
        <span className={styles.wrong}>
          <Icon name="circle-alert" size={1} />
          <span className="visually-hidden">{t("builder.isWrong")}</span>
        </span>
      )}
    </Link>
  );
}

function iconOf({ shape, schema }: DraftedShape): IconName {
  const icon = getAt(schema, [...PAGE, "icon"]) ?? recordOf(schema["info"])["icon"] ?? null;
  if (isIconName(icon as string | null)) return icon as IconName;
  if (shape === "component") return "component";
  return schema["kind"] === "singleType" ? "file-text" : "layers";
}

interface Group {
  readonly title: string;
  readonly shapes: readonly DraftedShape[];
}

/** The app's own by their groups first, then components by category, then what plugins declare. */
function groupsOf(shapes: readonly DraftedShape[]): readonly Group[] {
  const groups = new Map<string, DraftedShape[]>();
  const order = [...shapes].sort((a, b) => rankOf(a) - rankOf(b));
  for (const shape of order) {
    const title = groupOf(shape);
    groups.set(title, [...(groups.get(title) ?? []), shape]);
  }
  return [...groups].map(([title, members]) => ({ title, shapes: members }));
}

function rankOf({ shape, uid }: DraftedShape): number {
  if (shape === "component") return 1;
  return uid.startsWith("plugin::") ? 2 : 0;
}

function groupOf({ shape, uid, schema }: DraftedShape): string {
  if (shape === "component") return t("builder.category", { name: uid.split(".")[0] ?? "" });
  if (uid.startsWith("plugin::")) return t("builder.ofPlugins");
  const group = getAt(schema, [...PAGE, "group"]);
  if (typeof group === "string") return group;
  return schema["kind"] === "singleType" ? t("frame.singles") : t("frame.collections");
}
