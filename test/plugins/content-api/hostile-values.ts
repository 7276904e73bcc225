import { PROTOTYPE_NAMES } from "./hostile-requests.js";

/** The character that PostgreSQL stores in no text. */
export const NUL = "\u0000";
const OBJECTS = [{}, { a: 1 }, { $ne: null }, [{}], [[]]];
const TEXTS_OF_OTHER_KINDS = [1, true, [], ["a"], ...OBJECTS, `a${NUL}`];
const NUMBERS_OF_OTHER_KINDS = ["abc", "", "1 2", "0x10", "1,5", true, [], [1], ...OBJECTS, NUL];
const DATES_OF_OTHER_KINDS = ["tomorrow", "2024-13-01", "2024-02-31", "", "99999-01-01", true, [], ...OBJECTS, NUL];
const TARGETS = [
  "",
  "nosuch",
  NUL,
  `a${NUL}b`,
  99_999_999,
  -1,
  0,
  1.5,
  1e300,
  true,
  [[]],
  { id: {} },
  { documentId: 5 },
];
const CHANGES = [
  ...[
    { nope: 1 },
    { connect: [{}] },
    { connect: true },
    { connect: [null] },
    { set: ["nosuch"] },
    { disconnect: true },
  ],
  ...[
    { connect: [], options: 5 },
    { connect: [], options: { nope: 1 } },
    { set: { nope: 1 } },
    { set: [{ id: "x y" }] },
  ],
  ...[{ connect: [{ id: 1, position: 5 }] }, { connect: [{ id: 1, position: { nope: 1 } }] }],
  { connect: [{ id: 1, position: { start: true, end: true } }] },
];

/** Values that an attribute of articles refuses, by its name. */
export const REFUSED_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  title: TEXTS_OF_OTHER_KINDS,
  slug: [...TEXTS_OF_OTHER_KINDS, "", "a b", "ä", "a/b", "'; drop table articles"],
  summary: [...TEXTS_OF_OTHER_KINDS, "x".repeat(301)],
  body: TEXTS_OF_OTHER_KINDS,
  contact: [...TEXTS_OF_OTHER_KINDS, "nobody", "", "a@b@c"],
  secret: [...TEXTS_OF_OTHER_KINDS, "s".repeat(73)],
  kind: ["poem", [], ...OBJECTS, NUL],
  views: [...NUMBERS_OF_OTHER_KINDS, 1.5, 2 ** 31, -(2 ** 31) - 1, 1e300, "1e300"],
  bigviews: [...NUMBERS_OF_OTHER_KINDS, 1.5, "9223372036854775808", "-9223372036854775809", 1e300, "9".repeat(1000)],
  score: [...NUMBERS_OF_OTHER_KINDS, "1e400"],
  rating: [...NUMBERS_OF_OTHER_KINDS, 1e8, "1e300", -1e8],
  featured: ["maybe", "", 2, [], ...OBJECTS, NUL],
  extra: ["plain", "{", { a: NUL }, { [NUL]: 1 }, [[[NUL]]]],
  content: [
    "text",
    5,
    {},
    [1],
    [{}],
    [{ type: "nope" }],
    [{ type: "paragraph", children: [{ type: "text", text: NUL }] }],
  ],
  pubDate: DATES_OF_OTHER_KINDS,
  startsAt: [...DATES_OF_OTHER_KINDS, "25:00:00", "10:00", 5],
  eventAt: [...DATES_OF_OTHER_KINDS, 1e300, -1e300],
  stamp: [...DATES_OF_OTHER_KINDS, 1e300],
  cover: [...TARGETS, ...CHANGES, { id: 1 }, [1, 2]],
  gallery: [...TARGETS, ...CHANGES, [{ id: 1 }]],
  author: [...TARGETS, ...CHANGES, [1, 2]],
  categories: [...TARGETS, ...CHANGES],
  related: [...TARGETS, ...CHANGES],
  seo: [
    5,
    "x",
    [],
    { nope: 1 },
    { metaTitle: 5 },
    { metaTitle: NUL },
    { id: "x", metaTitle: "a" },
    { id: 1e300, metaTitle: "a" },
  ].concat([
    { id: 99_999_999, metaTitle: "a" },
    { metaTitle: "a", meta: {} } as never,
    { metaTitle: "a", meta: [5] } as never,
  ]),
  links: [
    {},
    "x",
    null,
    5,
    [null],
    [1],
    [[]],
    [{ nope: 1 }],
    [{ label: 5 }],
    [{ label: NUL }],
    [{ label: "a", category: true }],
  ],
  sections: [{}, "x", null, [null], [{}], [{ __component: 5 }], [{ __component: "shared.seo" }], [{ __component: NUL }]]
    .concat(PROTOTYPE_NAMES.filter((name) => name !== "__proto__").map((name) => [{ __component: name }]))
    .concat([[{ __component: "sections.hero", nope: 1 }], [{ __component: "sections.hero", title: 5 }]] as never),
};
