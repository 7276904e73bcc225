import type { PlanPlace, PlanProblem, ReleaseStory } from "../../../src/wire/plans.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { DocumentLink, PlaceText } from "./document-link.js";
import { momentText, plannerText } from "./moment-text.js";
import styles from "./plans.module.css";
import { keyOf, useTitlesAt } from "./use-titles.js";

interface RunsProps {
  readonly runs: ReleaseStory["runs"];
  readonly zone: string;
}

/** What came of a release each time that it was run. */
export function ReleaseRuns({ runs, zone }: RunsProps) {
  if (runs.length === 0) return null;
  return (
    <section className={styles.card} aria-labelledby="release-runs">
      <h2 id="release-runs">{t("release.runs")}</h2>
      <ol className={styles.runs}>
        {runs.map(({ state, endedAt, by, documents, refused, problems }) => (
          <li key={endedAt}>
            <p className={styles.planText}>
              <Icon name={state === "done" ? "circle-check" : "triangle-alert"} size={1} />
              <span>
                {t(`release.run.${state}`, { documents, refused })}
                <span className={styles.soft}>
                  {" "}
                  {momentText(endedAt, zone)} · {plannerText(by)}
                </span>
              </span>
            </p>
            {problems.length > 0 && <Refusals problems={problems} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A problem of a document; of a warning, the document that is not out. */
type Refusal = PlanPlace & PlanProblem & { readonly target?: Pick<PlanPlace, "type" | "documentId"> };

/** Problems by their documents; each document leads to its form. */
export function Refusals({ problems }: { readonly problems: readonly Refusal[] }) {
  const targets = problems.flatMap(({ target, locale }) => (target ? [placeOf(target, locale)] : []));
  const titleAt = useTitlesAt([...problems, ...targets]);
  const byDocument = new Map<string, Refusal[]>();
  for (const problem of problems) byDocument.set(keyOf(problem), [...(byDocument.get(keyOf(problem)) ?? []), problem]);
  return (
    <ul className={styles.refusals}>
      {[...byDocument].map(([key, own]) => (
        <li key={key}>
          {own[0] && <DocumentLink place={own[0]} titleAt={titleAt} className={styles.strong} />}{" "}
          <span className={styles.soft}>{own[0] && <PlaceText place={own[0]} />}</span>
          <ul>
            {own.map((problem) => (
              <li key={`${problem.path.join(".")} ${problem.message}`}>
                <PathText problem={problem} />
                {problem.target ? (
                  <>
                    {t("release.check.unpublished")}{" "}
                    <DocumentLink place={placeOf(problem.target, problem.locale)} titleAt={titleAt} />
                  </>
                ) : (
                  problem.message
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const placeOf = (target: Pick<PlanPlace, "type" | "documentId">, locale: string | null): PlanPlace => ({
  ...target,
  locale,
});

/** The label of the field that a problem is about; those inside it by their names. */
function PathText({ problem: { type, path } }: { readonly problem: Refusal }) {
  const attributes = useSession().types.get(type)?.attributes ?? {};
  const [first, ...rest] = path;
  if (first === undefined) return null;
  return <>{[attributes[first]?.label ?? first, ...rest].join(" › ")}: </>;
}
