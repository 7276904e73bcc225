import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { BuilderView } from "../../../src/wire/builder.js";
import { NotFound } from "../../app/not-found.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button, buttonClass } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import styles from "./builder.module.css";
import { shapeOf } from "./draft.js";
import { dropDraft } from "./draft-store.js";
import { PlanDialog } from "./plan-dialog.js";
import { ShapeForm } from "./shape-form.js";
import { ShapeList } from "./shape-list.js";
import { ACTION, BuilderProvider, problemText, useBuilder, useBuilderView, useDraft } from "./use-builder.js";

/** Types and components, what is drafted of them, and how that is applied. */
export function BuilderScreen() {
  const { actions } = useSession();
  const view = useBuilderView();
  const isSlow = useIsSlow(view.isPending);
  if (view.data) return <Loaded view={view.data} />;
  return (
    <div className={styles.waiting}>
      <title>{t("builder.title")}</title>
      <h1>{t("builder.title")}</h1>
      {view.error && <Failed error={view.error} retry={() => void view.refetch()} action={ACTION} />}
      {!view.error && isSlow && actions.includes(ACTION) && <Bone height="24rem" />}
    </div>
  );
}

function Loaded({ view }: { readonly view: BuilderView }) {
  const builder = useBuilder(view);
  const { uid } = useParams({ strict: false });
  const shape = uid === undefined ? undefined : shapeOf(builder.draft, uid);
  return (
    <BuilderProvider value={builder}>
      <div className={styles.screen}>
        <title>{t("builder.title")}</title>
        <Head />
        <div className={styles.columns} data-open={uid !== undefined}>
          <ShapeList current={uid} />
          <div className={styles.pane}>
            {uid === undefined && <Choose />}
            {uid !== undefined && (shape ? <ShapeForm key={uid} shape={shape} /> : <NotFound />)}
          </div>
        </div>
      </div>
    </BuilderProvider>
  );
}

const Choose = () => <Empty icon="layers" title={t("builder.choose")} text={t("builder.choose.text")} />;

function Head() {
  const { draft, canChange, problems } = useDraft();
  const [open, setOpen] = useState<"plan" | "undo">();
  const count = Object.keys(draft.changes).length;
  const general = problems.filter(({ uid }) => uid === null || !shapeOf(draft, uid));
  return (
    <>
      <header className={styles.head}>
        <div className={styles.names}>
          <h1>{t("builder.title")}</h1>
          <p className={styles.soft} role="status">
            {canChange ? t("builder.changes", { count }) : t("builder.readOnly")}
          </p>
        </div>
        <a href="/admin/api/builder/export" download="content-model.json" className={buttonClass({})}>
          <Icon name="download" />
          {t("builder.export")}
        </a>
        {canChange && count > 0 && (
          <>
            <Button icon="undo-2" onClick={() => setOpen("undo")}>
              {t("builder.undoAll")}
            </Button>
            <Button look="primary" icon="list" onClick={() => setOpen("plan")}>
              {t("builder.plan")}
            </Button>
          </>
        )}
      </header>
      {!canChange && <Banner>{t("builder.readOnly.text")}</Banner>}
      {problems.length > 0 && (
        <Banner kind="wrong">
          <strong>{t("builder.problems", { count: problems.length })}</strong>
          {general.map((problem) => (
            <span key={problemText(problem)} className={classNames(styles.code, styles.block)}>
              {problemText(problem)}
            </span>
          ))}
        </Banner>
      )}
      {open === "plan" && <PlanDialog onClose={() => setOpen(undefined)} />}
      <QuestionDialog
        isOpen={open === "undo"}
        isDangerous
        title={t("builder.undoAll.title")}
        answer={t("builder.undoAll")}
        onAnswer={() => {
          dropDraft();
          setOpen(undefined);
        }}
        onClose={() => setOpen(undefined)}
      >
        <p>{t("builder.undoAll.text", { count })}</p>
      </QuestionDialog>
    </>
  );
}
