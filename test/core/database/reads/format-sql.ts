/** Words that begin a line of their own in the select that they belong to. */
const CLAUSES =
  /^(?:from|where|order by|limit|union all|(?:cross |left )?join|group by|on conflict|then|else|when|and|or)\b/;
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|[^\s'"(),]+|\s+/g;

/**
 * Breaks a statement of the compiler into lines, so that a diff shows which part of it changed. Parentheses that hold a
 * select, or more than fits on a line, are indented; the rest stays as it is. Lines end where the statement has a space
 * or a parenthesis.
 *
 * @param width - what fits on a line.
 */
export function formatSql(text: string, width = 100): string {
  const tokens = text.match(TOKEN) ?? [];
  return linesOf(tokens, "", width).join("\n");
}

function linesOf(tokens: readonly string[], indent: string, width: number): string[] {
  const whole = tokens.join("").trim();
  if (indent.length + whole.length <= width && !/\(select /.test(whole)) return [indent + whole];
  const lines: string[] = [];
  let line = "";
  const end = () => {
    if (line.trim() !== "") lines.push(indent + line.trim());
    line = "";
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    if (token === "(") {
      const close = closing(tokens, at);
      const inside = tokens.slice(at + 1, close).join("");
      if (isLong(inside, indent.length + line.length, width)) {
        lines.push(`${indent}${line.trimStart()}(`, ...linesOf(tokens.slice(at + 1, close), `${indent}  `, width));
        line = ")";
      } else line += `(${inside})`;
      at = close;
    } else if (/^\s/.test(token)) {
      if (CLAUSES.test(tokens.slice(at + 1, at + 4).join("")) && !/(?:\bbetween \S+|\bcross|\bleft)$/.test(line)) end();
      else line += " ";
    } else {
      line += token;
      if (token === ",") end();
    }
  }
  end();
  return lines;
}

const isLong = (inside: string, before: number, width: number): boolean =>
  /(?:^|\()select /.test(inside) || before + inside.length > width;

function closing(tokens: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at] === "(") depth += 1;
    else if (tokens[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}
