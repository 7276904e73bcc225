import { type ControllerFactory, NotFoundError } from "@plinth/core";
import { storage } from "../contract.js";

/** Files as they are, where the provider has this server serve them. */
export const servedController: ControllerFactory = ({ app }) => ({
  findOne: (ctx, next) => {
    const { serve } = app.service(storage);
    if (!serve) throw new NotFoundError({});
    return serve(ctx, next);
  },
});
