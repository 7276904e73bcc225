import { apiTokens } from "@plinth/plugin-api-tokens";
import { openApi } from "@plinth/plugin-openapi";
import { expect } from "chai";
import { serveCorpusApp, tokens } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";
import { KnownContent } from "./known-content.js";
import { type Promises, readPromises } from "./promises.js";
import { type Documented, type Fired, operationsOf, rightRequest, urlOf, wrongRequests } from "./requests.js";
import { createSamples, type Samples } from "./sample-values.js";

/** Succeed for people who sign in; signing-in.test.ts has them. */
const FOR_PEOPLE = new Set([
  ...["login", "changePassword", "resetPassword", "confirmEmail"],
  ...["refreshSession", "logout", "findSessions", "endSession", "findMe", "postAdminLogin"],
]);

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

eitherDatabase(import.meta.url, (database) => {
  describe("What the OpenAPI document promises", () => {
    const corpus = serveCorpusApp(database);
    let operations: readonly Documented[];
    let promises: Promises;
    let samples: Samples;
    let content: KnownContent;
    let administrator: string;

    before("read the document, and make a token for administrators", async () => {
      const { app } = corpus().plinth;
      const document = app.service(openApi).document();
      const all = operationsOf(document);
      // What is below a document, such as its sessions, is deleted before the document.
      const deletions = all
        .filter(({ method }) => method === "DELETE")
        .toSorted((a, b) => b.path.length - a.path.length);
      operations = [...all.filter(({ method }) => method !== "DELETE"), ...deletions];
      promises = readPromises(document);
      content = new KnownContent(app);
      samples = createSamples(document, content.documentIds, 7);
      const [role] = await app.documents("plugin::users-permissions.role").findMany({ fields: ["id"] });
      content.documentIds.set("plugin::users-permissions.role", [role?.documentId ?? ""]);
      const made = await app.service(apiTokens).create({ name: "promises", type: "admin", permissions: ["*"] });
      administrator = made.accessKey;
    });

    const tokenFor = ({ operation }: Documented) =>
      operation.security.some((needed) => "administrator" in needed) ? administrator : tokens.full;

    async function fire(fired: Fired, token = tokenFor(fired)): Promise<Outcome> {
      const response = await fetch(`${corpus().url}${urlOf(fired)}`, {
        redirect: "manual",
        ...messageOf(fired, token),
      });
      const text = await response.text();
      const [contentType = ""] = (response.headers.get("content-type") ?? "").split(";");
      const body: unknown = contentType === "application/json" ? JSON.parse(text) : text;
      const { status } = response;
      const about = `${fired.method} ${urlOf(fired)} (${fired.what}) ${JSON.stringify(fired.body) ?? ""}: ${status}`;
      const broken = promises.broken(fired.operation, { status, contentType, body });
      return { status, body, about: `${about} ${text.slice(0, 400)}`, broken: broken && `${about}: ${broken}` };
    }

    it("every operation answers requests that it allows as it says, and can succeed", async () => {
      const faults: string[] = [];
      const succeeded = new Set<string>(FOR_PEOPLE);
      // Twice: the second time there is content already.
      for (const documented of [...operations, ...operations]) {
        const id = documented.operation.operationId;
        for (const right of rightRequests(documented, samples)) {
          const fired = content.place(right);
          const { status, body, broken, about } = await fire(fired);
          if (broken) faults.push(broken);
          if (status === 400 && !FOR_PEOPLE.has(id)) faults.push(`refused: ${about}`);
          if (status >= 400) continue;
          succeeded.add(id);
          if (fired.method === "POST") await content.remember(fired, body);
          if (fired.method === "DELETE") content.forget(fired);
        }
      }
      expect(faults.join("\n")).to.equal("");
      expect(operations.map(({ operation }) => operation.operationId).filter((id) => !succeeded.has(id))).to.deep.equal(
        [],
      );
    });

    it("every operation refuses requests that it forbids, as it says", async () => {
      const faults: string[] = [];
      for (const documented of operations) {
        const right = content.place(rightRequest(documented, samples, "none"));
        for (const fired of wrongRequests(right, promises.allows)) {
          const { status, broken, about } = await fire(fired);
          if (broken) faults.push(broken);
          else if (status < 400) faults.push(`accepted: ${about}`);
        }
      }
      expect(faults.join("\n")).to.equal("");
    });

    it("every operation that needs a grant refuses unknown tokens, and answers those who have none as it says", async () => {
      const faults: string[] = [];
      for (const documented of operations) {
        const fired = content.place(rightRequest(documented, samples, "none"));
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

/** What came of a request. */
interface Outcome {
  readonly status: number;
  readonly body: unknown;
  /** For messages. */
  readonly about: string;
  /** The promise that does not hold, if any. */
  readonly broken: string | undefined;
}

/** Without parameters, and with each of them; each time another body. */
function* rightRequests(documented: Documented, samples: Samples): Iterable<Fired> {
  yield rightRequest(documented, samples, "none");
  yield rightRequest(documented, samples, "body");
  for (const parameter of documented.operation.parameters ?? []) {
    if (parameter.in === "query") yield rightRequest(documented, samples, parameter);
  }
}

function messageOf({ method, operation, body }: Fired, token: string): RequestInit {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  if (body === undefined) return { method, headers: authorization };
  const isForm = operation.requestBody?.content["multipart/form-data"] !== undefined;
  if (isForm) return { method, headers: authorization, body: pictureForm() };
  const headers = { ...authorization, "content-type": "application/json" };
  return { method, headers, body: JSON.stringify(body) };
}

function pictureForm(): FormData {
  const form = new FormData();
  form.set("files", new Blob([PNG], { type: "image/png" }), "dot.png");
  return form;
}
