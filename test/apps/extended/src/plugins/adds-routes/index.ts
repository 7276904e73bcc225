import { definePlugin, NotFoundError } from "@plinth/core";

/** A route of its own with a controller, a policy in front of it and a middleware around it. */
export default definePlugin({
  name: "adds-routes",
  policies: {
    "names-a-language": ({ query }) => query["language"] !== undefined,
  },
  middlewares: {
    signature: (config) => async (ctx, next) => {
      await next();
      ctx.set("x-signed-by", String(config["by"]));
    },
  },
  controllers: {
    length: ({ app }) => ({
      async show({ params }) {
        const note = await app.documents("api::note.note").findOne({ documentId: params["documentId"] ?? "" });
        if (!note) throw new NotFoundError({});
        return { data: { length: String(note["text"]).length } };
      },
    }),
  },
  routes: [
    {
      method: "GET",
      path: "/notes/:documentId/length",
      handler: "length.show",
      config: {
        policies: ["names-a-language"],
        middlewares: [{ name: "signature", config: { by: "adds-routes" } }],
      },
    },
  ],
});
