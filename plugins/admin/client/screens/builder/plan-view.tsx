import { useNavigate } from "@tanstack/react-router";
import { Fragment } from "react";
import type { BuilderLoss, BuilderPlan, DatabaseStep } from "../../../src/wire/builder.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import styles from "./builder.module.css";
import { TextControl } from "./controls.js";
import { FileDiff } from "./file-diff.js";
import { problemText } from "./use-builder.js";

interface PlanProps {
  readonly plan: BuilderPlan;
  /** What was typed, by the id of a loss. */
  readonly names: Readonly<Record<string, string>>;
  readonly onNames: (names: Readonly<Record<string, string>>) => void;
  readonly onClose: () => void;
}

/** A plan: what is wrong, or what will be written, done and lost. */
export function PlanView({ plan, names, onNames, onClose }: PlanProps) {
  const { problems, files, steps, losses } = plan;
  return (
    <div className={styles.stack}>
      {problems.length > 0 && <Problems {...{ problems, onClose }} />}
      {losses.length > 0 && <Losses {...{ losses, names, onNames }} />}
      <section className={styles.part} aria-label={t("builder.files")}>
        <h3>{t("builder.files.count", { count: files.length })}</h3>
        {files.map((file) => (
          <FileDiff key={file.path} file={file} />
        ))}
      </section>
      {problems.length === 0 && (
        <section className={styles.part} aria-label={t("builder.steps")}>
          <h3>{steps.length === 0 ? t("builder.steps.none") : t("builder.steps.count", { count: steps.length })}</h3>
          <ol className={styles.steps}>
            {steps.map((step) => (
              <Step key={`${step.kind} ${step.table} ${step.column} ${step.sql.join()}`} step={step} />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Problems({ problems, onClose }: Pick<BuilderPlan, "problems"> & Pick<PlanProps, "onClose">) {
  const navigate = useNavigate();
  const show = (uid: string) => {
    onClose();
    void navigate({ to: "/builder/$uid", params: { uid } });
  };
  return (
    <section className={styles.problems} role="alert" aria-label={t("builder.problems", { count: problems.length })}>
      <h3>{t("builder.problems", { count: problems.length })}</h3>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.uid} ${problem.path} ${problem.message}`}>
            {problem.uid !== null && (
              <button type="button" className={styles.textButton} onClick={() => show(problem.uid ?? "")}>
                {problem.uid} {problem.path}
              </button>
            )}{" "}
            {problemText(problem)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Losses({ losses, names, onNames }: Pick<BuilderPlan, "losses"> & Pick<PlanProps, "names" | "onNames">) {
  const what = ({ attribute, uid }: BuilderLoss) =>
    attribute === null ? t("builder.loss.type", { uid }) : t("builder.loss.attribute", { uid, name: attribute });
  return (
    <section className={classNames(styles.problems, styles.stack)} aria-label={t("builder.losses")}>
      <h3>
        <Icon name="triangle-alert" /> {t("builder.losses")}
      </h3>
      <p>{t("builder.losses.text")}</p>
      {losses.map((loss) => (
        <TextControl
          key={loss.id}
          isCode
          label={t("builder.loss.typeName", { name: loss.name })}
          hint={what(loss)}
          value={names[loss.id] ?? ""}
          onChange={(value) => onNames({ ...names, [loss.id]: value })}
        />
      ))}
    </section>
  );
}

/** A column's or an index's name is enough to know it by. */
function Step({ step }: { readonly step: DatabaseStep }) {
  const { kind, table, column, sql, phase, lock, losesContent, why } = step;
  return (
    <li className={losesContent ? styles.isWrong : undefined}>
      <p>
        <strong>{kind}</strong> <code>{column === null ? table : `${table}.${column}`}</code>
        {losesContent && <span className={styles.lossMark}>{t("builder.losesContent")}</span>}
      </p>
      <p className={styles.soft}>
        {why} · {t(`builder.phase.${phase}`)}
        {lock !== null && <> · {t("builder.lock", { lock })}</>}
      </p>
      <details open>
        <summary>{t("builder.sql")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by keys */}
        <pre className={styles.sql} tabIndex={0}>
          {sql.map((text) => (
            <Fragment key={text}>
              {text.trim()};{"\n"}
            </Fragment>
          ))}
        </pre>
      </details>
    </li>
  );
}
