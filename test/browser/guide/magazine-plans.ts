import { releases } from "@plinth/plugin-schedule";
import { administratorOf } from "../../plugins/admin/sign-in.js";
import type { BrowserApp } from "../browser-app.js";
import { ARTICLE, type Magazine } from "./magazine.js";

/** What is planned with the magazine, and what was. By SQL: the clock of the server is not that of the pictures. */
export async function writePlans(app: BrowserApp, { lighthouse, ferry, soup }: Magazine): Promise<void> {
  const { app: server } = app.plinth;
  const { documentId: id } = await administratorOf(server, "super");
  const actor = JSON.stringify({ kind: "admin", id });
  const write = (text: string, ...values: readonly unknown[]) => server.db.query({ text, values });
  const plan = (documentId: string, action: string, at: string) =>
    write(
      "insert into plinth_schedule (uid, document_id, locale, action, at, actor) values ($1, $2, 'en', $3, $4, $5::jsonb)",
      ...[ARTICLE, documentId, action, at, actor],
    );
  const past = (documentId: string, at: string, problems: readonly object[] = []) =>
    write(
      `insert into plinth_schedule_past (uid, document_id, locale, action, at, actor, problems)
        values ($1, $2, 'en', 'publish', $3, $4::jsonb, $5::jsonb)`,
      ...[ARTICLE, documentId, at, actor, JSON.stringify(problems)],
    );
  await plan(soup, "publish", "2026-03-16T07:00:00Z");
  await plan(ferry, "unpublish", "2026-03-27T18:00:00Z");
  await past(lighthouse, "2026-03-05T07:00:00Z");
  await past(ferry, "2026-03-09T07:00:00Z", [{ code: "X", path: ["summary"], message: "must be defined" }]);
  await past(ferry, "2026-03-10T07:00:00Z");
  const actions = [lighthouse, ferry, soup].map((documentId) => ({
    ...({ type: ARTICLE, documentId, locale: "en", action: documentId === soup ? "unpublish" : "publish" } as const),
  }));
  const { id: release } = await server.service(releases).create({ name: "Spring issue", actions });
  await write(
    `update plinth_release set state = 'scheduled', at = '2026-03-20T06:00:00Z', created_at = '2026-03-11T14:20:00Z',
      creator = $2::jsonb, actor = $2::jsonb where id = $1`,
    ...[release, actor],
  );
}
