import { namesIn } from "../../form/conditions.js";
import { t } from "../../messages/text.js";
import type { OptionTools } from "./attribute-props.js";
import styles from "./builder.module.css";
import { Section, SelectControl, TextControl } from "./controls.js";
import { allAttributesOf, type DraftedShape, type RawAttribute } from "./draft.js";

type ConditionProps = OptionTools & {
  readonly shape: DraftedShape;
  readonly name: string;
  readonly isReadOnly: boolean;
};

/** A condition that is one comparison with a value. */
interface Comparison {
  readonly operator: "==" | "!=";
  readonly name: string;
  readonly value: string | number | boolean;
}

/** When a form shows the attribute. A condition that says more than one comparison is written in the file. */
export function ConditionOptions({ shape, name, isReadOnly, get, set, at }: ConditionProps) {
  const rule = get("conditions", "visible");
  const comparison = readComparison(rule);
  const others = Object.entries(allAttributesOf(shape)).filter(
    ([other, { type }]) => other !== name && isCompared(type),
  );
  const write = (next: Comparison | undefined) =>
    set(["conditions", "visible"], next && { [next.operator]: [{ var: next.name }, next.value] });
  if (rule !== undefined && !comparison)
    return (
      <Section label={t("builder.condition")}>
        <p className={styles.soft}>
          {t("builder.condition.inFile", { names: [...new Set(namesIn(rule))].join(", ") })}
        </p>
        <pre className={styles.code}>{JSON.stringify(rule)}</pre>
      </Section>
    );
  if (others.length === 0) return null;
  const chosen = comparison && others.find(([other]) => other === comparison.name)?.[1];
  return (
    <Section label={t("builder.condition")}>
      <SelectControl
        label={t("builder.condition.field")}
        value={comparison?.name ?? ""}
        choices={[
          { value: "", label: t("builder.condition.always") },
          ...others.map(([other]) => ({ value: other, label: other })),
        ]}
        problems={at("conditions")}
        isReadOnly={isReadOnly}
        onChange={(other) => write(other === "" ? undefined : firstOf(other, allAttributesOf(shape)[other]))}
      />
      {comparison && (
        <>
          <SelectControl
            label={t("builder.condition.is")}
            value={comparison.operator}
            choices={[
              { value: "==", label: t("builder.condition.equal") },
              { value: "!=", label: t("builder.condition.notEqual") },
            ]}
            isReadOnly={isReadOnly}
            onChange={(operator) => write({ ...comparison, operator: operator as "==" })}
          />
          <ComparedValue {...{ comparison, isReadOnly, write }} attribute={chosen} />
        </>
      )}
    </Section>
  );
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly attribute: RawAttribute | undefined;
  readonly isReadOnly: boolean;
  readonly write: (next: Comparison) => void;
}

function ComparedValue({ comparison, attribute, isReadOnly, write }: ComparedProps) {
  const label = t("builder.condition.value");
  const value = String(comparison.value);
  const values = attribute?.["type"] === "boolean" ? ["true", "false"] : attribute?.["enum"];
  if (!Array.isArray(values))
    return (
      <TextControl
        {...{ label, value, isReadOnly }}
        onChange={(text) => write({ ...comparison, value: typed(attribute, text) })}
      />
    );
  const words: Readonly<Record<string, string>> = { true: t("value.yes"), false: t("value.no") };
  return (
    <SelectControl
      {...{ label, value, isReadOnly }}
      choices={values.map((each) => ({ value: String(each), label: words[String(each)] ?? String(each) }))}
      onChange={(text) => write({ ...comparison, value: typed(attribute, text) })}
    />
  );
}

const COMPARED = ["string", "email", "uid", "integer", "decimal", "float", "boolean", "enumeration", "date"];
const NUMBERS = ["integer", "decimal", "float"];

const isCompared = (type: unknown): boolean => COMPARED.includes(String(type));

function typed(attribute: RawAttribute | undefined, text: string): Comparison["value"] {
  if (attribute?.["type"] === "boolean") return text === "true";
  const isNumber = NUMBERS.includes(String(attribute?.["type"])) && text.trim() !== "" && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

function firstOf(name: string, attribute: RawAttribute | undefined): Comparison {
  const [first = ""] = Array.isArray(attribute?.["enum"]) ? attribute["enum"].map(String) : [];
  return { operator: "==", name, value: attribute?.["type"] === "boolean" ? true : first };
}

function readComparison(rule: unknown): Comparison | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  const entries = Object.entries(rule);
  const [operator, args] = entries[0] ?? [];
  if (entries.length !== 1 || (operator !== "==" && operator !== "!=") || !Array.isArray(args)) return undefined;
  const [reference, value] = args as readonly unknown[];
  const name = (reference as { readonly var?: unknown } | null)?.var;
  if (args.length !== 2 || typeof name !== "string" || !["string", "number", "boolean"].includes(typeof value))
    return undefined;
  return { operator, name, value: value as Comparison["value"] };
}
