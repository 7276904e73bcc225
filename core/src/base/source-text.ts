const sources = new WeakMap<object, string>();

/**
 * Notes the text that a deeply frozen value was parsed from, so that results derived from the value can be cached by
 * that text.
 */
export function rememberSource<Value extends object>(value: Value, text: string): Value {
  sources.set(value, text);
  return value;
}

/** The text that a value was parsed from; undefined for one without a noted text, or that may have been changed. */
export const sourceOf = (value: object): string | undefined => sources.get(value);
