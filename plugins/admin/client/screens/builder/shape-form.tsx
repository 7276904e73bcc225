import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { Menu } from "../../ui/menu.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner } from "../../ui/state.js";
import { AttributeList } from "./attribute-list.js";
import { BasicOptions } from "./basic-options.js";
import styles from "./builder.module.css";
import { type DraftedShape, labelOf, reverted } from "./draft.js";
import { removedShape } from "./edit-attributes.js";
import { PageOptions } from "./page-options.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

/** A type or component as a form. */
export function ShapeForm({ shape }: { readonly shape: DraftedShape }) {
  const { problems } = useDraft();
  const own = problemsAt(problems, shape.uid);
  const isReadOnly = !shape.isChangeable || shape.state === "removed";
  return (
    <div className={styles.form}>
      <ShapeHead shape={shape} />
      {shape.state === "removed" && <Banner kind="warn">{t("builder.removed.text")}</Banner>}
      {shape.path === null && shape.state !== "new" && <Banner>{t("builder.inCode")}</Banner>}
      {shape.form === "addition" && <Banner>{t("builder.addition", { path: shape.path ?? "" })}</Banner>}
      {own.length > 0 && (
        <section className={styles.problems} role="alert" aria-label={t("builder.problems", { count: own.length })}>
          <ul>
            {own.map((problem) => (
              <li key={problem.path + problem.message}>
                {problem.path !== "" && <code>{problem.path}</code>} {problemText(problem)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <AttributeList shape={shape} isReadOnly={isReadOnly} />
      {shape.form !== "addition" && <BasicOptions shape={shape} isReadOnly={isReadOnly} />}
      {shape.form !== "addition" && <PageOptions shape={shape} isReadOnly={isReadOnly} />}
    </div>
  );
}

function ShapeHead({ shape }: { readonly shape: DraftedShape }) {
  const { change } = useDraft();
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const { uid, path, state, isChangeable } = shape;
  const revert = () => {
    change((draft) => reverted(draft, uid));
    if (state === "new") void navigate({ to: "/builder" });
  };
  const remove = () => {
    change((draft) => removedShape(draft, uid));
    setAsked(false);
    if (state === "new") void navigate({ to: "/builder" });
  };
  const entries = [
    { id: "revert", label: t("builder.revert"), icon: "undo-2" as const, isDisabled: state === "same", run: revert },
    {
      ...{ id: "remove", label: t("builder.remove"), icon: "trash-2" as const, isDangerous: true },
      isDisabled: state === "removed" || shape.form === "addition",
      run: () => setAsked(true),
    },
  ];
  return (
    <header className={styles.shapeHead}>
      <Link to="/builder" className={styles.back}>
        <Icon name="chevron-left" size={1} />
        {t("builder.title")}
      </Link>
      <div className={styles.titleLine}>
        <h2>{labelOf(shape)}</h2>
        {state !== "same" && <span className={styles.mark}>{t(`builder.state.${state}`)}</span>}
        {isChangeable && <Menu label={t("builder.actions")} groups={[entries]} />}
      </div>
      <p className={styles.soft}>
        <code>{uid}</code>
        {path !== null && <> · {path}</>}
      </p>
      <QuestionDialog
        isOpen={isAsked}
        isDangerous
        title={t("builder.remove.title", { name: labelOf(shape) })}
        answer={t("builder.remove")}
        onAnswer={remove}
        onClose={() => setAsked(false)}
      >
        <p>{t("builder.remove.text")}</p>
      </QuestionDialog>
    </header>
  );
}
