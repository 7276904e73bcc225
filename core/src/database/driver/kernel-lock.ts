import { createRequire } from "node:module";

/** Locks on open files that the operating system holds, until the file is closed or its process has ended. */
export interface KernelLock {
  /** Whether the lock on an open file, which has to be open for writing, is ours now. */
  tryLock(descriptor: number): boolean;
}

/** Undefined where there is none: the package brings compiled code for Linux with glibc, macOS and Windows. */
export function loadKernelLock(): KernelLock | undefined {
  try {
    return createRequire(import.meta.url)("fs-native-extensions") as KernelLock;
  } catch {
    return undefined;
  }
}
