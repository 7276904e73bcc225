import { GraphQLObjectType, GraphQLSchema } from "graphql";
import { SubscriptionRefusedError } from "../errors.js";
import { fieldPlan } from "../plan.js";

/** Streams are answered by the query of the same text: what comes here asks for one answer. */
const refuse = (): never => {
  throw new SubscriptionRefusedError({ problems: ["a subscription is asked for with Accept: text/event-stream"] });
};

/**
 * A schema whose type Subscription has the generated fields of Query: what they answer, again each time that it is another
 * answer. An app's own type Subscription stays as it is.
 */
export function addSubscriptions(schema: GraphQLSchema): GraphQLSchema {
  const query = schema.getQueryType();
  if (!query || schema.getSubscriptionType()) return schema;
  const read = Object.entries(query.toConfig().fields).filter(
    ([, { extensions }]) => fieldPlan({ extensions: extensions ?? {} })?.kind === "root",
  );
  if (read.length === 0) return schema;
  const subscription = new GraphQLObjectType({
    name: "Subscription",
    description: "What Query answers, sent again each time that it is another answer; by server-sent events.",
    fields: Object.fromEntries(read.map(([name, field]) => [name, { ...field, resolve: refuse }])),
  });
  return new GraphQLSchema({ ...schema.toConfig(), subscription });
}
