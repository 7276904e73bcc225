import { useSearch } from "@tanstack/react-router";
import type { Problem } from "../../../src/wire/content.js";
import type { EditSearch } from "../../app/edit-search.js";
import { attributesOf } from "../../app/session.js";
import { showField } from "../../fields/show-field.js";
import { t } from "../../messages/text.js";
import { useBesideAddress } from "./beside-address.js";
import styles from "./edit.module.css";
import type { OpenDocument } from "./open-document.js";

const ID = "problems";

/** Brings the list into the window: somebody who asked to save may have scrolled past it. */
export function showProblems(): void {
  requestAnimationFrame(() => document.getElementById(ID)?.scrollIntoView({ block: "center" }));
}

interface ProblemListProps {
  readonly problems: readonly Problem[];
  readonly opened: OpenDocument;
}

/** Goes to the field that a problem is about, from the other tabs to that of the form. */
export function useShowProblem({ store }: OpenDocument): (problem: Pick<Problem, "path">) => void {
  const { tab }: EditSearch = useSearch({ strict: false });
  const showForm = useBesideAddress();
  return async ({ path }) => {
    if (tab !== undefined) await showForm({});
    showField(store, store.placeOf(path));
  };
}

/** A problem in words: the field, and what is wrong with it. */
export const problemText = (opened: OpenDocument, { path, message }: Pick<Problem, "path" | "message">): string =>
  [labelOf(opened, path), message].filter(Boolean).join(": ");

/** Everything that keeps the document from being saved or published; each leads to its field. */
export function ProblemList({ problems, opened }: ProblemListProps) {
  const show = useShowProblem(opened);
  return (
    <section
      id={ID}
      className={styles.problems}
      role="alert"
      aria-label={t("problems.title", { count: problems.length })}
    >
      <h2>{t("problems.title", { count: problems.length })}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.path.join(".")} ${problem.message}`}>
            <button type="button" onClick={() => show(problem)}>
              {problemText(opened, problem)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The labels on the way to a field; items by their number. */
function labelOf({ store, place }: OpenDocument, path: Problem["path"]): string {
  let attributes = place.type.attributes;
  const labels: string[] = [];
  const steps: (string | number)[] = [];
  for (const step of path) {
    steps.push(step);
    const attribute = attributes[String(step)];
    if (attribute) {
      labels.push(attribute.label);
      if (attribute.component) attributes = attributesOf(store.shapes, attribute.component);
      continue;
    }
    labels.push(/^\d+$/.test(String(step)) ? String(Number(step) + 1) : String(step));
    const place = store.placeOf(steps);
    const list = place.slice(0, place.lastIndexOf("."));
    const item = store.itemsAt(list).find(({ key }) => place.endsWith(`.${key}`));
    if (item) attributes = attributesOf(store.shapes, item.component);
  }
  return labels.join(" › ");
}
