import type { App } from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import type { GraphqlConfig } from "../config.js";

/** What the resolvers of an app are made of. */
export interface OperationTools {
  readonly app: App;
  readonly config: Pick<GraphqlConfig, "amountLimit" | "defaultLimit" | "maxLimit">;
}

/** The content-type of a generated field; the schema was made from the same model. */
export function typeOfPlan({ app }: OperationTools, { uid }: { readonly uid: string }): ContentType {
  return app.model.contentTypes.get(uid) as ContentType;
}
