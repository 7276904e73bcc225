import { Kernel, type KernelOptions } from "#core/kernel/kernel.js";

/** A kernel whose log is a list; `logged` holds what went there. */
export function makeKernel(options: Omit<KernelOptions, "log">): { kernel: Kernel; logged: Error[] } {
  const logged: Error[] = [];
  return { kernel: new Kernel({ ...options, log: (error) => logged.push(error) }), logged };
}
