/**
 * The line break of a text, which the editor keeps byte by byte: where all are `\r\n` it writes that. A text with both has
 * `\n`, and then `\r` is a character at the end of a line like any other.
 */
export const lineBreakOf = (text: string): "\n" | "\r\n" =>
  /\r\n/.test(text) && !/(?:^|[^\r])\n|\r(?!\n)/.test(text) ? "\r\n" : "\n";

/** A text that is put in, with the line breaks of the one that it gets into. */
export const withLineBreak = (text: string, lineBreak: string): string => text.replace(/\r\n?|\n/g, lineBreak);
