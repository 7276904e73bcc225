import { apiTokens } from "@plinth/plugin-api-tokens";
import { openApi, type OpenApiDocument } from "@plinth/plugin-openapi";
import { expect } from "chai";
import { serveCorpusApp, tokens } from "../../corpus-app.js";
import { eachDatabase } from "../../databases.js";
import { type Promises, readPromises } from "./promises.js";
import { type Documented, type Fired, operationsOf, rightRequest, urlOf, wrongRequests } from "./requests.js";
import { createSamples, type Samples } from "./sample-values.js";

/** Operations whose success needs what no schema can say, such as the code of a mail; other tests have them. */
const NEEDS_MORE = new Set([
  ...["login", "changePassword", "resetPassword", "confirmEmail", "connectProvider"],
  ...["refreshSession", "logout", "findSessions", "endSession", "findMe", "postAdminLogin"],
  ...["getFileContent"],
]);

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

eachDatabase((database) => {
  describe("What the OpenAPI document promises", function () {
    this.timeout(180_000);
    const corpus = serveCorpusApp(database);
    const ids = new Map<string, string[]>();
    const rows = new Map<string, string>();
    let document: OpenApiDocument;
    let promises: Promises;
    let samples: Samples;
    let admin: string;

    before("read the document, and make a token for administrators", async () => {
      const { app } = corpus().plinth;
      document = app.service(openApi).document();
      promises = readPromises(document);
      samples = createSamples(document, ids, 7);
      const [role] = await app.documents("plugin::users-permissions.role").findMany({ fields: ["id"] });
      ids.set("plugin::users-permissions.role", [role?.documentId ?? ""]);
      admin = (await app.service(apiTokens).create({ name: "promises", type: "admin", permissions: ["*"] })).accessKey;
    });

    /** What is there, and what no schema can say, in the place of what was invented. */
    function placed(fired: Fired): Fired {
      const owner = ownerOf(fired);
      const uid = fired.path.includes("components") ? "shared.seo" : "api::article.article";
      const known = { documentId: ids.get(owner)?.at(-1), id: rows.get(owner), uid };
      const found = Object.entries(known).filter(([name, value]) => name in fired.params && value !== undefined);
      const params = { ...fired.params, ...Object.fromEntries(found) } as Fired["params"];
      return { ...fired, params, query: knownQuery(fired), body: knownBody(fired, ids.get(owner) ?? []) };
    }

    async function fire(
      fired: Fired,
      token = fired.operation.security.some((needed) => "administrator" in needed) ? admin : tokens.full,
    ) {
      const isForm = fired.operation.requestBody?.content["multipart/form-data"] !== undefined;
      const form = isForm && fired.body !== undefined ? { body: pictureForm() } : {};
      const json = fired.body === undefined || isForm ? {} : { body: JSON.stringify(fired.body) };
      const response = await fetch(`${corpus().url}${urlOf(fired)}`, {
        method: fired.method,
        redirect: "manual",
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...("body" in json ? { "content-type": "application/json" } : {}),
        },
        ...form,
        ...json,
      });
      const text = await response.text();
      const [contentType = ""] = (response.headers.get("content-type") ?? "").split(";");
      const body: unknown = contentType === "application/json" ? JSON.parse(text) : text;
      const broken = promises.broken(fired.operation, { status: response.status, contentType, body });
      const about = `${fired.method} ${urlOf(fired)} (${fired.what}) ${JSON.stringify(fired.body)?.slice(0, 400) ?? ""}: ${response.status}`;
      return {
        status: response.status,
        body,
        broken: broken && `${about}: ${broken}`,
        about: `${about} ${text.slice(0, 400)}`,
      };
    }

    function remember(fired: Fired, body: unknown): void {
      const [first] = [body].flat() as { data?: unknown; id?: number; documentId?: string }[];
      const made = (first?.data ?? first) as { id?: number; documentId?: string } | undefined;
      const owner = ownerOf(fired);
      if (made?.documentId !== undefined) ids.set(owner, [...(ids.get(owner) ?? []), made.documentId]);
      if (made?.id !== undefined) rows.set(owner, String(made.id));
    }

    it("every operation answers requests that it allows as it says, and can succeed", async () => {
      const faults: string[] = [];
      const succeeded = new Set<string>();
      let count = 0;
      for (const documented of [...operationsOf(document), ...operationsOf(document)]) {
        for (const fired of rightRequests(documented, samples)) {
          const answered = await fire(placed(fired));
          count++;
          if (answered.status < 400) succeeded.add(documented.operation.operationId);
          if (answered.status === 201) remember(fired, answered.body);
          if (answered.broken) faults.push(answered.broken);
          if (process.env["T3"] && answered.status >= 400 && !NEEDS_MORE.has(documented.operation.operationId))
            console.log(answered.about);
        }
      }
      console.log(count, "right", succeeded.size);
      expect(faults.join("\n")).to.equal("");
      const all = operationsOf(document).map(({ operation }) => operation.operationId);
      expect(all.filter((id) => !succeeded.has(id) && !NEEDS_MORE.has(id))).to.deep.equal([]);
    });

    it("every operation refuses requests that it forbids, as it says", async () => {
      const faults: string[] = [];
      let count = 0;
      for (const documented of operationsOf(document)) {
        const right = placed(rightRequest(documented, samples, "none"));
        for (const fired of wrongRequests(right, promises.allows)) {
          const answered = await fire(fired);
          count++;
          if (answered.broken) faults.push(answered.broken);
          else if (answered.status < 400) faults.push(`accepted: ${answered.about}`);
        }
      }
      console.log(count, "wrong");
      expect(faults.join("\n")).to.equal("");
    });

    it("every operation that needs a grant refuses those who have none, and unknown tokens", async () => {
      const faults: string[] = [];
      for (const documented of operationsOf(document)) {
        const fired = placed(rightRequest(documented, samples, "none"));
        for (const token of ["", "no-such-token"]) {
          const { status, broken, about } = await fire(fired, token);
          if (broken) faults.push(broken);
          const isClosed = fired.operation.security.length > 0;
          if (isClosed && token !== "" && status !== 401) faults.push(about);
        }
      }
      expect(faults.join("\n")).to.equal("");
    });
  });
});

function* rightRequests(documented: Documented, samples: Samples): Iterable<Fired> {
  const parameters = (documented.operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  yield rightRequest(documented, samples, "none");
  yield rightRequest(documented, samples, "body");
  for (const parameter of parameters) yield rightRequest(documented, samples, parameter);
}

/** Uid of what an operation is about. */
function ownerOf({ operation, path }: Documented): string {
  const action = operation["x-plinth-action"] ?? path;
  const named: Readonly<Record<string, string>> = { "/admin/api-tokens": "token", "/admin/i18n/locales": "locale" };
  return (
    named[Object.keys(named).find((start) => path.startsWith(start)) ?? ""] ??
    action.slice(0, Math.max(0, action.lastIndexOf(".")))
  );
}

/** Which locales and roles there are is content, and no schema says it. */
function knownQuery({ query }: Fired): Fired["query"] {
  const known: Readonly<Record<string, unknown>> = { fallbackLocale: ["fr"], role: "public" };
  const changed = Object.keys(query).map((name) => {
    if (name === "locale") return [name, Array.isArray(query[name]) ? ["en"] : "en"];
    return [name, known[name] ?? query[name]];
  });
  return Object.fromEntries(changed) as Fired["query"];
}

let made = 0;

function knownBody({ body, path, method }: Fired, ids: readonly string[]): unknown {
  if (body === undefined) return undefined;
  if (path.includes("/actions/")) return { data: { documentIds: ids.slice(-2) } };
  if (path.startsWith("/admin/api-tokens"))
    return { name: `token ${made++}`, type: "custom", permissions: ["api::article.article.find"] };
  if (path.startsWith("/admin/i18n") && method === "POST")
    return { code: `x${made++}`.replace("x", "de-x-"), name: "Local" };
  if (path.startsWith("/admin/i18n")) return { name: `Local ${made++}`, fallback: ["fr"] };
  return body;
}

function pictureForm(): FormData {
  const form = new FormData();
  form.set("files", new Blob([PNG], { type: "image/png" }), "dot.png");
  return form;
}
