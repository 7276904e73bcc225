import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 allocate every object young, which suits a server: the objects of a request are garbage after its answer.
 * Otherwise V8 allocates objects old at places whose objects once lived long, as during many writes.
 * Such an object keeps all that it leads to, the text of an answer too, until the whole heap is looked through. In the
 * benchmark every read left its text there: a page with relations took node 0.41 ms instead of 0.25, with a p99 of 23
 * instead of 17, and the GraphQL page 0.66 instead of 0.26, with a p99 of 24 instead of 11.
 *
 * It holds for the whole process, and for code that is compiled from now on: so the command sets it before it loads an
 * app. V8 promises nothing about its flags; test/core/cli/disable-pretenuring.test.ts fails on a version without this one.
 *
 * @source core/decisions/0011-young-objects.md, --allocation-site-pretenuring
 */
export function disablePretenuring(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
