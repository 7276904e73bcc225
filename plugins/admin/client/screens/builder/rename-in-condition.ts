/** A condition of a schema file that reads an attribute under its new name. @source https://jsonlogic.com/operations.html */
export function renamedIn(condition: unknown, from: string, to: string): unknown {
  if (Array.isArray(condition)) return condition.map((part) => renamedIn(part, from, to));
  if (typeof condition !== "object" || condition === null) return condition;
  return Object.fromEntries(
    Object.entries(condition).map(([key, value]) => [
      key,
      key === "var" ? renamedVar(value, from, to) : renamedIn(value, from, to),
    ]),
  );
}

function renamedVar(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return [renamedVar(value[0], from, to), ...value.slice(1)];
  return value === from ? to : value;
}
