import { eventText, type StreamForm } from "@plinth/core/http";

/** Each answer is a message; the last event, `end`, has the error that a request would be answered with. */
export const messageForm: StreamForm = {
  next: (body, id) => eventText({ id, data: body }),
  end: (error) => eventText({ event: "end", data: JSON.stringify({ error }) }),
};
