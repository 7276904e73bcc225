import type { ResolverMiddleware, SchemaExtension } from "@plinth/plugin-graphql";

/** Appends its mark as the registered middleware does. */
// biome-ignore lint/complexity/useMaxParams: a resolver has four, and this stands around one
const trace: ResolverMiddleware = (next, parent, args, context, info) => {
  context.http.append("X-Trace", "function");
  return next(parent, args, context, info);
};

/** Makes every new title start with a capital letter. */
// biome-ignore lint/complexity/useMaxParams: a resolver has four, and this stands around one
const capitalise: ResolverMiddleware = (next, parent, args, context, info) => {
  const title = String(args.data.title);
  const data = { ...args.data, title: `${title.charAt(0).toUpperCase()}${title.slice(1)}` };
  return next(parent, { ...args, data }, context, info);
};

/** Nobody is called by the first name. */
// biome-ignore lint/complexity/useMaxParams: a resolver has four, and this stands around one
const initials: ResolverMiddleware = async (next, parent, args, context, info) => {
  const author = (await next(parent, args, context, info)) as { name: string } | null;
  return author && { ...author, name: author.name.replace(/^(\w)\w+/, "$1.") };
};

/** Policies and middlewares of every form, on a query, a mutation and a field of a type. */
export const guardExtension: SchemaExtension = {
  resolversConfig: {
    "Query.articles": {
      middlewares: ["global::trace", { name: "global::trace", options: { mark: "with options" } }, trace],
    },
    "Query.article": {
      auth: { scope: ["api::article.article.find"] },
      policies: [{ name: "api::article.has-header", config: { name: "x-reader" } }],
    },
    "Query.authors": { auth: false, policies: ["global::knows-the-word"] },
    "Mutation.createArticle": {
      policies: [(context, { app }) => context.args["data"] !== undefined && app.has("graphql")],
      middlewares: [capitalise],
    },
    "Mutation.renameAll": { auth: { scope: ["api::article.article.update"] } },
    "Article.author": {
      auth: false,
      policies: [({ parent, state }) => parent !== undefined && state.requestId !== ""],
      middlewares: [initials],
    },
  },
};
