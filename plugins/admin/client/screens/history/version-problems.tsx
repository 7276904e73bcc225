import type { VersionContent } from "../../../src/wire/history.js";
import type { Attributes } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Banner } from "../../ui/state.js";

interface VersionProblemsProps {
  readonly version: Pick<VersionContent, "problems">;
  readonly attributes: Attributes;
}

/** What of a version cannot be given back: attributes that are no more, and links to documents that are no more. */
export function VersionProblems({ version: { problems }, attributes }: VersionProblemsProps) {
  if (problems.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { path, problem } of problems) {
    const [name = ""] = path.split(".");
    const key = JSON.stringify([problem, attributes[name]?.label ?? name]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (
    <Banner kind="warn">
      {[...counts].map(([key, count]) => {
        const [problem, field] = JSON.parse(key) as ["removed" | "changed" | "gone", string];
        return <div key={key}>{t(`history.problem.${problem}`, { field, count })}</div>;
      })}
    </Banner>
  );
}
