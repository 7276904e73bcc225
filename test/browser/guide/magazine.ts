import sharp from "sharp";
import type { BrowserApp } from "../browser-app.js";
import { addFolder } from "../library.js";
import { administratorOf, signIn } from "../../plugins/admin/sign-in.js";

/** Uid of what most of the pictures show. */
export const ARTICLE = "api::article.article";

/** The documents that pictures open. */
export interface Magazine {
  /** Published, changed since, and translated. */
  readonly lighthouse: string;
  readonly ferry: string;
  readonly soup: string;
  /** The file that is the cover of the lighthouse. */
  readonly cover: string;
}

const NAMES = { super: "Nora Field", editor: "Tom Reyes" };
const AUTHORS = ["Ida Brandt", "Jonas Weir", "Mara Quill"];
const TAGS = ["Islands", "Walking", "Food", "Trains", "Birds", "Winter", "Harbours"];
const FILES = [
  { name: "lighthouse.png", alternativeText: "A white lighthouse above a calm sea", colours: ["#f6c28b", "#27667b"] },
  { name: "ferry-at-dawn.png", alternativeText: "A ferry leaves the harbour at dawn", colours: ["#f4d6cc", "#5b7c99"] },
  { name: "autumn-hills.png", alternativeText: "Hills in autumn", colours: ["#fae3b4", "#9c5c2e"] },
  { name: "night-train.png", alternativeText: "A valley at night", colours: ["#2b3a67", "#16213e"] },
  { name: "fish-soup.png", alternativeText: "A bay in the evening", colours: ["#f7b2ad", "#7a3e65"] },
  { name: "winter-path.png", alternativeText: "A path in the snow", colours: ["#e3edf7", "#8fa9bf"] },
] as const;
const ROWS = [
  { title: "Where the puffins land", kind: "report", author: 1, tags: [0, 4], issue: 11 },
  { title: "A bakery that opens at four", kind: "interview", author: 2, tags: [2], issue: 11 },
  { title: "Seven walks from a station", kind: "report", author: 0, tags: [1, 3], issue: 11, isLive: true },
  { title: "Rye bread with sea salt", kind: "recipe", author: 2, tags: [2], issue: 10, isLive: true },
  { title: "The last night train north", kind: "report", author: 1, tags: [3, 5], issue: 10, isLive: true },
  { title: "She repairs wooden boats", kind: "interview", author: 0, tags: [6], issue: 10, isLive: true },
] as const;

const text = (words: string, bold = false) => ({ type: "text", text: words, ...(bold ? { bold } : {}) });
const block = (type: string, children: readonly object[], more: object = {}) => ({ type, children, ...more });

/** A landscape in two colours: sky, sun, and hills before each other. */
function drawPicture([sky, land]: readonly [string, string]): Promise<Buffer> {
  const hill = (from: number, opacity: number) =>
    `<path d="M0 ${from} Q200 ${from - 90} 400 ${from} T800 ${from - 30} V500 H0 Z" fill="${land}" opacity="${opacity}"/>`;
  const parts = [
    `<rect width="800" height="500" fill="${sky}"/>`,
    `<circle cx="590" cy="150" r="62" fill="#fff7e0"/>`,
    ...[hill(300, 0.45), hill(370, 0.7), hill(440, 1)],
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500">${parts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Writes the content of a small magazine, as administrators who have names. */
export async function writeMagazine(app: BrowserApp): Promise<Magazine> {
  for (const [role, name] of Object.entries(NAMES)) {
    const { documentId } = await administratorOf(app.plinth.app, role);
    await app.plinth.app.documents("plugin::api-tokens.admin").update({ documentId, data: { name } });
  }
  const authors: string[] = [];
  for (const name of AUTHORS) authors.push(await app.create("api::author.author", { name }));
  const tags: string[] = [];
  for (const name of TAGS) tags.push(await app.create("api::tag.tag", { name }));
  const covers = await uploadPictures(app);
  for (const { author, tags: chosen, isLive, ...values } of [...ROWS]
    .reverse()
    .map((row) => ({ isLive: false, ...row }))) {
    const links = { author: { connect: [authors[author]] }, tags: { connect: chosen.map((index) => tags[index]) } };
    const data = { ...values, ...links, slug: slugOf(values.title), summary: "A story of this issue." };
    await app.create(ARTICLE, data, isLive ? "published" : undefined);
  }
  const make = makerOf(app, { author: authors[0] ?? "", tags, covers });
  await makeFolders(app);
  const [cover = ""] = covers;
  return { soup: await make.soup(), ferry: await make.ferry(), lighthouse: await make.lighthouse(), cover };
}

const slugOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

interface Parts {
  readonly author: string;
  readonly tags: readonly string[];
  readonly covers: readonly string[];
}

/** The articles that are opened. */
function makerOf(app: BrowserApp, { author, tags, covers }: Parts) {
  const shared = { author: { connect: [author] }, tags: { connect: tags.slice(0, 2) }, issue: 12 };
  const article = (title: string, data: object, status?: "published") =>
    app.create(ARTICLE, { title, slug: slugOf(title), ...shared, ...data }, status);
  return {
    soup: () =>
      article("Fish soup for a cold evening", { kind: "recipe", summary: "Half an hour, one pot.", cover: covers[4] }),
    ferry: () =>
      article("The slow ferry", {
        ...{ kind: "report", cover: covers[1], summary: "Nine hours, four islands, and no hurry." },
        body: [block("paragraph", [text("The first island appears after an hour.")])],
        sections: [
          { __component: "story.quote", words: "Nobody here looks at a clock.", speaker: "The captain" },
          { __component: "story.route", name: "From the harbour to the old light", kilometres: 6 },
          { __component: "story.tip", text: "Sit on the left side in the morning." },
        ],
      }),
    lighthouse: async () => {
      const documentId = await article("Keeper of the last light", LIGHTHOUSE(covers), "published");
      const path = `/admin/api/content/${ARTICLE}/${documentId}`;
      const by = await signIn(app.plinth.app, "super");
      const german = {
        title: "Die letzte Wärterin",
        slug: "die-letzte-waerterin",
        summary: "Ein Winter am Leuchtturm.",
      };
      await app.ask("PUT", `${path}?locale=de`, { ...by, "if-none-match": "*" }, { data: german });
      const summary = "One winter with the woman who keeps the light on Brannock, and why she stays.";
      await changeArticle(app, documentId, "super", { summary });
      return documentId;
    },
  };
}

/** Changes the draft of an article as the administrator with a role. */
export async function changeArticle(app: BrowserApp, documentId: string, role: string, data: object): Promise<void> {
  const path = `/admin/api/content/${ARTICLE}/${documentId}`;
  const by = await signIn(app.plinth.app, role);
  const { headers } = await app.ask("GET", path, by);
  const { status, text: answer } = await app.ask(
    "PUT",
    path,
    { ...by, "if-match": headers.get("etag") ?? "" },
    { data },
  );
  if (status !== 200) throw new TypeError(answer);
}

const LIGHTHOUSE = (covers: readonly string[]) => ({
  ...{ kind: "report", cover: covers[0], summary: "A winter on Brannock." },
  body: [
    block("heading", [text("Forty steps, twice a night")], { level: 2 }),
    block("paragraph", [
      text("The lamp has been "),
      text("electric since 1961", true),
      text(". She climbs up anyway."),
    ]),
    block(
      "list",
      [
        block("list-item", [text("In the evening, to look at the sea")]),
        block("list-item", [text("At four, to look at the stars")]),
      ],
      {
        format: "unordered",
      },
    ),
  ],
  sections: [{ __component: "story.quote", words: "The sea is never the same twice.", speaker: "Ada Marsh" }],
});

/** Puts pictures into the library. @returns their documentIds */
async function uploadPictures(app: BrowserApp): Promise<readonly string[]> {
  const by = { ...(await signIn(app.plinth.app, "super")), "x-plinth-admin": "1" };
  const made: string[] = [];
  for (const { name, alternativeText, colours } of FILES) {
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(await drawPicture(colours))], { type: "image/png" }), name);
    const { body, text: answer } = await app.ask("POST", "/admin/api/files", by, form);
    const documentId = body?.data?.[0]?.documentId;
    if (documentId === undefined) throw new TypeError(answer);
    await app.ask("PUT", `/admin/api/files/${documentId}`, by, { alternativeText });
    made.push(documentId);
  }
  return made;
}

/** Folders of the magazine, with those in them. */
const FOLDERS = { Issues: ["Issue 11", "Issue 12"], Maps: [], Press: [] } as const;

async function makeFolders(app: BrowserApp): Promise<void> {
  for (const [name, inside] of Object.entries(FOLDERS)) {
    const parent = await addFolder(app, name);
    for (const inner of inside) await addFolder(app, inner, parent);
  }
}

/** Gives articles times of their own, in the order in which they were changed: those of today would differ tomorrow. */
export async function setTimes({ plinth: { app } }: BrowserApp, now: Date): Promise<void> {
  const { table = "" } = app.model.contentTypes.get(ARTICLE) ?? {};
  await app.db.query({
    text: `update "${table}" t set created_at = $1::timestamptz - place * interval '5 hours' - interval '1 day',
        updated_at = $1::timestamptz - place * interval '5 hours'
      from (select id as changed, rank() over (order by updated_at desc) as place from "${table}") places
      where t.id = changed`,
    values: [now],
  });
  await app.db.query({ text: "update files set created_at = $1, updated_at = $1", values: [now] });
  await app.db.query({
    text: `update plinth_history h set at = $1::timestamptz - place * interval '50 minutes'
      from (select id as kept, row_number() over (order by id desc) as place from plinth_history) places where h.id = kept`,
    values: [now],
  });
}
