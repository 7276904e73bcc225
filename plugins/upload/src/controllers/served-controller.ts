import { type ControllerFactory, NotFoundError } from "@plinth/core";
import { storage } from "../contract.js";

/** Serves files, for providers whose files this server serves. */
export const servedController: ControllerFactory = ({ app }) => ({
  findOne: (ctx, next) => {
    const { serve } = app.service(storage);
    if (!serve) throw new NotFoundError({});
    return serve(ctx, next);
  },
});
