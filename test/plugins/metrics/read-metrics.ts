import { expect } from "chai";

/** What a text of metrics says. */
export interface ReadMetrics {
  /** The value of the one series that has these labels among its own; undefined without one. */
  value(name: string, labels?: object): number | undefined;
  help(name: string): string | undefined;
  /** Of every series of a name. */
  labelsOf(name: string): readonly Readonly<Record<string, string>>[];
  readonly names: ReadonlySet<string>;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.e+-]+|\+Inf|NaN)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Reads Prometheus' text form, and fails at a line that Prometheus would not take.
 *
 * @source https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function readMetrics(text: string): ReadMetrics {
  const helps = new Map<string, string>();
  const series: { name: string; labels: Readonly<Record<string, string>>; value: number }[] = [];
  for (const line of text.split("\n")) {
    const [, helped, help = ""] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
    if (helped) helps.set(helped, help);
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", labels = "", value = ""] = LINE.exec(line) ?? expect.fail(`not in Prometheus' form: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(([, key, of]) => [key, of]);
    series.push({ name, labels: Object.fromEntries(pairs), value: Number(value.replace("+Inf", "Infinity")) });
  }
  const named = (name: string) => series.filter((each) => each.name === name);
  return {
    value: (name, asked = {}) => {
      const found = named(name).filter(({ labels }) =>
        Object.entries(asked).every(([key, value]) => labels[key] === value),
      );
      expect(found.length, `series of ${name}`).to.be.lessThan(2);
      return found[0]?.value;
    },
    help: (name) => helps.get(name),
    labelsOf: (name) => named(name).map(({ labels }) => labels),
    names: new Set(series.map(({ name }) => name)),
  };
}
