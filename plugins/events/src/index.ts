/** The public entry of the events plugin: the plugin itself, and its contract. */
import { beforeStop, beforeSync, definePlugin, onStart } from "@plinth/core";
import { commands } from "./commands.js";
import { type EventsConfig, parseConfig } from "./config.js";
import { Days } from "./days.js";
import { CitusError } from "./errors.js";
import { eventsImpl, ownEvents, ownEventsImpl } from "./events-service.js";
import { assertSubjects } from "./event-types.js";
import { listenToWrites, writingOf } from "./outbox.js";
import { closeStreams, eventController, streamRoute } from "./stream/stream-route.js";
import { hasTables, makeTables } from "./tables.js";

export type { EventsConfig } from "./config.js";
export * from "./contract.js";
export { PastRetentionError } from "./errors.js";
export { subjectOf } from "./event-types.js";

const days = new WeakMap<object, Days>();

/** What happened to content, kept with it: an outbox, and consumers in order. */
export const eventsPlugin = definePlugin<EventsConfig>({
  name: "events",
  config: parseConfig,
  commands,
  services: [ownEventsImpl, eventsImpl],
  controllers: { event: eventController },
  routes: [streamRoute],
  register({ app, on }) {
    const { outbox } = writingOf(app);
    // What plugins write when they start is noted from the second start on: before, there are no readers.
    on(beforeSync, async ({ db }) => {
      outbox.isOpen = await hasTables(db);
    });
    listenToWrites(on, outbox);
    on(onStart, () => app.service(ownEvents).begin());
    on(beforeStop, ({ timeout }) => app.service(ownEvents).end(timeout));
  },
  async bootstrap({ app, config, service }) {
    assertSubjects(app.model);
    if (app.db.engine === "citus") throw new CitusError({});
    const { outbox, wake } = writingOf(app);
    if (!outbox.isOpen) await makeTables(app.db);
    const tables = new Days(app, config.retention);
    days.set(app, tables);
    await tables.open();
    outbox.isOpen = true;
    wake.open();
    service(ownEvents).open();
    app.health.add(service(ownEvents).health);
  },
  async destroy({ app, service }) {
    closeStreams(app);
    await service(ownEvents).close();
    await days.get(app)?.close();
    writingOf(app).wake.close();
  },
});

export default eventsPlugin;
