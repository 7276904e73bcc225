import { type ChangeObject, diffArrays, diffLines, diffWords } from "diff";
import { language, t } from "../../messages/text.js";
import { blockText } from "../edit/value-words.js";
import styles from "./history.module.css";

/** Steps after which two texts are too different to be compared word by word. */
const MOST_EDITS = 3_000;
/** Letters of an unchanged part that are shown before and after a change. */
const AROUND = 120;

interface TextProps {
  readonly from: string;
  readonly to: string;
  /** JSON and Markdown: line by line. */
  readonly isByLine?: boolean;
}

/** Two texts in one, what went and what came marked. */
export default function TextDifference({ from, to, isByLine = false }: TextProps) {
  const parts = isByLine ? diffLines(from, to, LIMITS) : diffWords(from, to, { ...LIMITS, intlSegmenter: segmenter() });
  if (!parts) return <Whole from={from} to={to} />;
  return (
    <p className={isByLine ? styles.code : styles.text}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and are drawn once
        <Part key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </p>
  );
}

const LIMITS = { maxEditLength: MOST_EDITS };

const segmenter = () => new Intl.Segmenter(language(), { granularity: "word" });

function Whole({ from, to }: TextProps) {
  return (
    <p className={styles.text}>
      <Del>{from}</Del> <Ins>{to}</Ins>
    </p>
  );
}

function Part({
  part,
  isFirst,
  isLast,
}: {
  readonly part: ChangeObject<string>;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  if (part.added) return <Ins>{part.value}</Ins>;
  if (part.removed) return <Del>{part.value}</Del>;
  return <>{shortened(part.value, isFirst, isLast)}</>;
}

/** Of a long part that did not change its ends: they say where one is. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= AROUND * 3) return text;
  const start = isFirst ? "" : text.slice(0, AROUND);
  const end = isLast ? "" : text.slice(-AROUND);
  return `${start} … ${end}`;
}

/** What came. Screen readers say so, as not all say that of `ins`. */
function Ins({ children }: { readonly children: string }) {
  return (
    <ins className={styles.ins}>
      <span className="visually-hidden">{t("history.added")}: </span>
      {children}
    </ins>
  );
}

/** What went. */
function Del({ children }: { readonly children: string }) {
  return (
    <del className={styles.del}>
      <span className="visually-hidden">{t("history.removed")}: </span>
      {children}
    </del>
  );
}

interface BlocksProps {
  readonly from: readonly unknown[];
  readonly to: readonly unknown[];
}

/** Two texts of blocks: block by block, and the words of those that changed. */
export function BlocksDifference({ from, to }: BlocksProps) {
  const [before, after] = [from, to].map((blocks) => blocks.map((block) => JSON.stringify(block)));
  const parts = diffArrays(before ?? [], after ?? []);
  return (
    <div className={styles.blocks}>
      {parts.map((part, index) => {
        const next = parts[index + 1];
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and are drawn once
        if (part.removed && next?.added) return <Changed key={index} from={part.value} to={next.value} />;
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        if (part.removed) return <Changed key={index} from={part.value} to={[]} />;
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        if (part.added) return parts[index - 1]?.removed ? null : <Changed key={index} from={[]} to={part.value} />;
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        return <Same key={index} count={part.value.length} />;
      })}
    </div>
  );
}

const Same = ({ count }: { readonly count: number }) => (
  <p className={styles.same}>{t("history.sameBlocks", { count })}</p>
);

/** Blocks that took each other's place: the words of the first with the first, and so on. */
function Changed({ from, to }: { readonly from: readonly string[]; readonly to: readonly string[] }) {
  const count = Math.max(from.length, to.length);
  return Array.from({ length: count }, (_none, index) => {
    const [before, after] = [from[index], to[index]].map((block) =>
      block === undefined ? "" : blockText(JSON.parse(block)),
    );
    const isFormat = before === after;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name
      <div key={index}>
        {isFormat ? (
          <p className={styles.text}>
            {after} <span className={styles.note}>{t("history.formatted")}</span>
          </p>
        ) : (
          <TextDifference from={before ?? ""} to={after ?? ""} />
        )}
      </div>
    );
  });
}
