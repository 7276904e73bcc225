/** Ways from notes to texts that the visitor reads, of shown documents. */
const WAYS = [
  ...["title", "owner.name", "people.name", "detail.text", "details.text", "detail.person.name", "details.person.name"],
  ...["owner.notes.title", "owner.mentions.title", "owner.mentions.owner.name", "owner.notes.detail.person.name"],
];
const RELATIONS = [
  "owner",
  "people",
  "detail.person",
  "details.person",
  "owner.notes",
  "people.mentions",
  "owner.mentions",
];
const OPERATORS = ["$eq", "$ne", "$lt", "$gte", "$containsi", "$notContains", "$startsWith", "$endsWithi", "$nei"];
const TEXTS = ["Ada", "Needle", "Alpha", "Beta", "Zed", "Aaa", "Other", "plain", "Zdraft", "Zfrench", "M", "e"];

/** Questions put together at random from everything that can be asked; the same ones each time for a seed. */
export function mixedQuestions(count: number, seed: number): readonly string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => mix(random));
}

type Random = (below: number) => number;

/** Numbers that look random, by the same seed the same. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mix(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const direction = () => pick(["asc", "desc"]);
  const parts = [
    () => conditions(random, "filters", 2),
    () => `sort[0]=${pick(WAYS)}:${direction()}&sort[1]=id:${direction()}`,
    () => `pagination[limit]=1&pagination[start]=${random(2)}`,
    () => pick(["status=draft", "locale=fr", "locale=*", "status=draft&locale=*"]),
    () => `_q=${pick(TEXTS)}`,
    () => `populate[owner][populate][notes][sort]=${pick(WAYS)}:${direction()}`,
    () => conditions(random, "populate[owner][populate][notes][filters]", 1),
    () => conditions(random, "populate[owner][populate][mentions][filters]", 1),
    () => `populate[people][populate][mentions][count]=true`,
    () => `populate[details][populate][person][populate]=*`,
    () => `populate[localizations][populate]=*`,
  ].filter(() => random(3) === 0);
  return `/api/notes?${parts.map((part) => part()).join("&")}`;
}

/** A tree of conditions below a place such as `filters`. */
function conditions(random: Random, place: string, depth: number): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const form = depth > 0 ? random(5) : 3 + random(2);
  if (form === 0) return conditions(random, `${place}[$not]`, depth - 1);
  if (form <= 2) {
    const group = form === 1 ? "$or" : "$and";
    return [0, 1].map((index) => conditions(random, `${place}[${group}][${index}]`, depth - 1)).join("&");
  }
  const inside = (way: string) => `${place}[${way.replaceAll(".", "][")}]`;
  if (form === 3) return `${inside(pick(RELATIONS))}[${pick(["$null", "$notNull"])}]=true`;
  return `${inside(pick(WAYS))}[${pick(OPERATORS)}]=${pick(TEXTS)}`;
}
