import type { Command } from "@plinth/core";
import { openApi } from "./contract.js";

/** `plinth openapi`: the document, for what makes clients of it. */
export const openApiCommand: Command = {
  description: "print the OpenAPI document of everything that REST serves",
  options: { "--role <type>": "only what this role may do: public, authenticated, ..." },
  async run({ app, options, print }) {
    const { role } = options;
    const service = app.service(openApi);
    const ability = typeof role === "string" ? await service.abilityOfRole(role) : undefined;
    print(JSON.stringify(service.document(ability), undefined, 2));
  },
};
