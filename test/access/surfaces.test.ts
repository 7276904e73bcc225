import { expect } from "chai";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { historyPlugin } from "@plinth/plugin-history";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { livePlugin } from "@plinth/plugin-live";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { eventually } from "../core/database/driver/note-app.js";
import { eitherDatabase } from "../databases.js";
import type { Answers, Surface, Watch } from "./vault/surface.js";
import { SURFACES } from "./vault/surfaces.js";
import { ADMIN, type Answered, HIDDEN, PLANNER, READER, serveVault, type Vault, VISITOR } from "./vault/vault-app.js";
import { changeDraftsAndFrench, changeWhatIsHidden } from "./vault/worlds.js";

/** What differs between two worlds, and who does not see it. */
const WORLDS = [
  { what: "rows, attributes and types", change: changeWhatIsHidden, tokens: [VISITOR, PLANNER] },
  { what: "drafts and another locale", change: changeDraftsAndFrench, tokens: [READER] },
] as const;

/** What nobody but an administrator may find in an answer. */
const NEEDLES = new RegExp(`${HIDDEN.diary}|${HIDDEN.email}|${HIDDEN.name}|${HIDDEN.rank}|\\$2[aby]\\$`, "i");

/** A change that all of them see. */
const SEEN = "Omega";

/** What a bearer was told of a surface, before and after a change. */
interface Told {
  readonly before: Answers;
  readonly after: Answers;
  /** What came by itself, by question. */
  readonly heard: ReadonlyMap<string, readonly string[]>;
}

describe("What an app tells of content beside reads", () => {
  for (const { what, change, tokens } of WORLDS)
    eitherDatabase(import.meta.url, (database) => {
      describe(`in two worlds that only differ in hidden ${what}`, () => {
        const plugins = [
          ...[contentApiPlugin, graphqlPlugin, livePlugin, historyPlugin, jobsPlugin, schedulePlugin],
          ...[apiTokensPlugin, auditPlugin, eventsPlugin],
        ];
        const pluginConfigs = { live: { interval: 50 }, events: { streamTypes: ["vault.*"] } };
        const vault = serveVault(database, { plugins, pluginConfigs });
        const told = new Map<string, Told>();
        before("ask, change what is hidden, and ask again", async () => {
          for (const surface of SURFACES) await surface.prepare?.(vault(), false);
          for (const token of [...tokens, ADMIN])
            for (const surface of SURFACES)
              told.set(`${surface.name} ${token}`, { ...(await begin(vault(), surface, token)), after: new Map() });
          const opened = await watchAll(vault(), tokens);
          await change(vault());
          for (const surface of SURFACES) await surface.prepare?.(vault(), true);
          await opened.untilHeard(ADMIN);
          for (const [name, { before }] of told) {
            const [surface, token] = placeOf(name);
            told.set(name, { before, after: await surface.ask(vault(), token), heard: new Map() });
          }
          await vault().manage("PUT", `/api/notes/${vault().kept.shownNote.documentId}`, { title: SEEN });
          await opened.untilHeard(ADMIN, SEEN);
          await opened.untilHeard(tokens[0], SEEN);
          for (const [name, heard] of opened.heard()) told.set(name, { ...(told.get(name) as Told), heard });
          opened.close();
        });
        const of = (surface: Surface, token: string) => told.get(`${surface.name} ${token}`) as Told;

        for (const surface of SURFACES)
          for (const token of tokens) {
            it(`${surface.name}: a ${token} is answered the same, in number as well`, () => {
              const { before, after } = of(surface, token);
              expect([...after.keys()]).to.deep.equal([...before.keys()]);
              for (const [question, answer] of before) expect(after.get(question), question).to.deep.equal(answer);
              if (token === READER) return;
              for (const [question, answer] of after) expect(JSON.stringify(answer), question).to.not.match(NEEDLES);
            });

            if (surface.watch)
              it(`${surface.name}: a ${token} hears of nothing but what they see`, () => {
                const { heard } = of(surface, token);
                for (const [question, words] of heard) {
                  expect(words.length, `${question}: ${words.join("\n")}`).to.be.at.most(2);
                  if (token !== READER) expect(words.join("\n"), question).to.not.match(NEEDLES);
                }
                expect([...heard.values()].filter((words) => words.at(-1)?.includes(SEEN)).length).to.be.above(2);
              });
          }

        for (const surface of SURFACES)
          it(`${surface.name}: an administrator tells the two apart`, () => {
            const { before, after } = of(surface, ADMIN);
            const same = [...before].filter(
              ([question, answer]) => JSON.stringify(after.get(question)) === JSON.stringify(answer),
            );
            expect(same.length).to.be.below(Math.max(before.size, after.size));
          });

        it("nobody but an administrator reads the audit log", () => {
          for (const token of [...tokens, ADMIN])
            for (const [question, answer] of (told.get(`audit ${token}`) as Told).after)
              expect((answer as Answered).status, `${token}: ${question}`).to.equal(statusOf(question, token));
        });

        if ((tokens as readonly string[]).includes(PLANNER))
          it("who plans sees the release of what is shown", () => {
            const { before } = told.get(`schedules and releases ${PLANNER}`) as Told;
            expect(JSON.stringify(before.get("GET /api/schedule/releases"))).to.include('"Shown"');
          });
      });
    });
});

/** Of a question about the audit log. */
function statusOf(question: string, token: string): number {
  if (question.startsWith("GET /api/")) return 404;
  if (token !== ADMIN) return 401;
  return question.includes("wrong") ? 400 : 200;
}

const begin = async (vault: Vault, surface: Surface, token: string): Promise<Pick<Told, "before" | "heard">> => ({
  before: await surface.ask(vault, token),
  heard: new Map(),
});

function placeOf(name: string): readonly [surface: Surface, token: string] {
  const token = name.slice(name.lastIndexOf(" ") + 1);
  const surface = SURFACES.find((each) => name === `${each.name} ${token}`);
  return [surface ?? expect.fail(`no surface of ${name}`), token];
}

/** Has everybody watch all that can be watched. */
async function watchAll(vault: Vault, tokens: readonly string[]) {
  const watches = new Map<string, ReadonlyMap<string, Watch>>();
  for (const token of [...tokens, ADMIN])
    for (const surface of SURFACES)
      if (surface.watch) watches.set(`${surface.name} ${token}`, await surface.watch(vault, token));
  const begun = new Map([...watches].map(([name, each]) => [name, countOf(each)]));
  return {
    /** Waits until somebody has heard more than at first on each surface; of a word, where that is said. */
    untilHeard: (token: string, word?: string) =>
      eventually(async () => {
        for (const [name, each] of watches) {
          if (!name.endsWith(` ${token}`)) continue;
          const words = [...each.values()].flatMap(({ heard }) => heard);
          if (word === undefined) expect(words.length, name).to.be.above(begun.get(name) ?? 0);
          else expect(words.join("\n"), name).to.include(word);
        }
      }, 30_000),
    heard: () =>
      [...watches].map(
        ([name, each]) => [name, new Map([...each].map(([question, { heard }]) => [question, [...heard]]))] as const,
      ),
    close: () => {
      for (const each of watches.values()) for (const watch of each.values()) watch.close();
    },
  };
}

const countOf = (watches: ReadonlyMap<string, Watch>): number =>
  [...watches.values()].reduce((sum, { heard }) => sum + heard.length, 0);
