/** What a new app's README depends on. */
export interface ReadmeOptions {
  readonly name: string;
  readonly isEmpty: boolean;
  /** Whether Plinth's packages lie in `vendor/`. */
  readonly isVendored: boolean;
}

/**
 * The README of a new app, from that of the template: parts between `<!-- sample -->`, `<!-- empty -->` or
 * `<!-- vendor -->` and `<!-- end -->` are for some apps only.
 */
export function buildReadme(template: string, { name, isEmpty, isVendored }: ReadmeOptions): string {
  const isKept: Readonly<Record<string, boolean>> = { sample: !isEmpty, empty: isEmpty, vendor: isVendored };
  return template
    .replace(/^# .*/, `# ${name}`)
    .replace(/^<!-- (sample|empty|vendor) -->\n([\s\S]*?)^<!-- end -->\n/gm, (_, part: string, text: string) =>
      isKept[part] ? text : "",
    );
}
