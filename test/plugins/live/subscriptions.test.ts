import { livePlugin } from "@plinth/plugin-live";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveGraphql } from "../graphql/serve-graphql.js";
import { type OpenedEvents, openEvents } from "./open-events.js";

const SUBSCRIPTION =
  'subscription Names($start: String) { categories(sort: "name", filters: { name: { startsWith: $start } }) { name } }';

describe("Subscriptions over GraphQL", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { plugins: [livePlugin], pluginConfig: { live: { interval: 50 } } });
    const streams: OpenedEvents[] = [];
    const subscribe = async (query: string, variables?: object) => {
      const stream = await openEvents(`${app().url}/graphql`, { method: "POST", body: { query, variables } });
      streams.push(stream);
      return stream;
    };
    afterEach("close", () => {
      for (const stream of streams.splice(0)) stream.close();
    });
    const write = async (name: string) =>
      (await app().request("POST", "/api/categories", { body: { data: { name } } })).body.data.documentId as string;
    const namesIn = ({ data }: { data: string }) =>
      JSON.parse(data).data.categories.map(({ name }: { name: string }) => name);

    it("are sent as graphql-sse says, and again when the answer is another one", async () => {
      await write("Aa");
      const stream = await subscribe(SUBSCRIPTION, { start: "A" });
      expect([stream.status, stream.headers["content-type"]]).to.deep.equal([200, "text/event-stream; charset=utf-8"]);
      const first = await stream.next();
      expect([first.event, namesIn(first)]).to.deep.equal(["next", ["Aa"]]);
      await write("Bb");
      const gone = await write("Ab");
      expect(namesIn(await stream.next())).to.deep.equal(["Aa", "Ab"]);
      await app().request("DELETE", `/api/categories/${gone}`);
      expect(namesIn(await stream.next())).to.deep.equal(["Aa"]);
      expect(stream.events).to.have.length(3);
    });

    it("work by GET as well", async () => {
      const search = new URLSearchParams({ query: "subscription { categories { name } }" });
      const stream = await openEvents(`${app().url}/graphql?${search}`);
      streams.push(stream);
      expect(namesIn(await stream.next())).to.include("Aa");
    });

    it("are refused with what is wrong", async () => {
      const statusOf = async (query: string) => (await subscribe(query)).status;
      expect(await statusOf("subscription { nothing { name } }")).to.equal(400);
      expect(await statusOf("subscription { categories { name } articles { title } }")).to.equal(400);
      expect(await statusOf('subscription { categories(sort: "nothing") { name } }')).to.equal(400);
      expect(await statusOf("subscription {")).to.equal(400);
      expect(await statusOf("subscription { users_unknown { id } }")).to.equal(400);
    });

    it("stand in the schema, and are nothing for a request of JSON", async () => {
      const ask = async (query: string) =>
        (
          await fetch(`${app().url}/graphql`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ query }),
          })
        ).json() as Promise<{
          data?: { __schema: { subscriptionType: { fields: { name: string }[] } } };
          errors?: object[];
        }>;
      const { data, errors } = await ask("{ __schema { subscriptionType { fields { name } } } }");
      expect(errors).to.equal(undefined);
      expect(data?.__schema.subscriptionType.fields.map(({ name }) => name)).to.include.members([
        "categories",
        "category",
      ]);
      expect((await ask("subscription { categories { name } }")).errors).to.have.length(1);
    });
  });
});
