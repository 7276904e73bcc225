import { defineResolverMiddleware } from "@plinth/plugin-graphql";

/** Appends its mark to the header X-Trace of the answer. */
// biome-ignore lint/complexity/useMaxParams: a resolver has four, and this stands around one
export default defineResolverMiddleware(({ mark = "named" }) => (next, parent, args, context, info) => {
  context.http.append("X-Trace", String(mark));
  return next(parent, args, context, info);
});
