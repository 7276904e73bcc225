import type { ErrorBody } from "./error-answer.js";
import type { AskedRead } from "./asked-read.js";
import type { EndpointAnswer } from "./request-info.js";

/** How answers are written into a stream; each text ends with an empty line. */
export interface StreamForm {
  /** @param id - another one for another body. */
  next(body: string, id: string): string;
  /** The end, for a client that should not ask again. */
  end(error: ErrorBody): string;
}

/** A read whose client wants to know each time that its answer is another one. */
export interface StreamedRead extends AskedRead {
  /**
   * Identifies the caller again, and throws what a request of theirs would be answered with now. Undefined where what is
   * read is not what is sent: code of the app has a part in the answer.
   */
  readonly identify: (() => Promise<void> | undefined) | undefined;
  /** Default: messages of server-sent events. */
  readonly form?: StreamForm | undefined;
}

/** Answers reads by streams; the plugin live declares one. */
export interface ReadStreams {
  open(read: StreamedRead): Promise<EndpointAnswer>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    "read-stream": ReadStreams;
  }
}
