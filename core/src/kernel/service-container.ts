import { isPlinthError, type PlinthError, reasonOf } from "../base/error.js";
import { sortByAfter } from "../base/sort.js";
import { ServiceCreateError, ServiceCycleError, ServiceMissingDependencyError } from "./errors.js";
import type { ServiceContext, ServiceImpl } from "./implement.js";
import { Registry } from "./registry.js";

/** The services of one kernel: each is created when it is first needed, once, with its wrappers around it. */
export class ServiceContainer {
  readonly #implementations = new Registry<ServiceImpl>("service");
  readonly #instances = new Map<string, unknown>();
  /** What is being created right now, outermost first. */
  readonly #creating: string[] = [];

  /** @param contextOf - what the services of a plugin are created with. */
  constructor(private readonly contextOf: (plugin: string) => ServiceContext) {}

  /** @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_REGISTRY_SEALED */
  add(implementation: ServiceImpl, owner: string): void {
    this.#implementations.add(implementation.uid, implementation, owner);
  }

  /** Wraps a service, for all its callers. @throws PLINTH_REGISTRY_SEALED */
  wrap(uid: string, wrapper: (inner: unknown) => unknown, owner: string): void {
    const around = (inner: ServiceImpl): ServiceImpl => ({
      ...inner,
      create: (deps, context) => wrapper(inner.create(deps, context)),
    });
    this.#implementations.wrap(uid, around, owner);
  }

  /**
   * Freezes the services and checks how they depend on each other.
   *
   * @returns PLINTH_REGISTRY_UNKNOWN for wrappers of nothing, PLINTH_SERVICE_MISSING_DEPENDENCY, PLINTH_SERVICE_CYCLE
   */
  seal(): readonly PlinthError[] {
    const problems = [...this.#implementations.seal()];
    if (problems.length > 0) return problems;
    const known = this.#implementations.keys();
    const services = this.#implementations.entries().map(([name, { deps }]) => ({ name, after: Object.values(deps) }));
    const missing = services.flatMap(({ name: service, after }) =>
      after.filter((uid) => !this.#implementations.has(uid)).map((dependency) => ({ service, dependency })),
    );
    if (missing.length > 0) problems.push(new ServiceMissingDependencyError({ missing, known }));
    const sorted = sortByAfter(services);
    if ("cycle" in sorted) problems.push(new ServiceCycleError({ path: sorted.cycle }));
    return problems;
  }

  /** @throws PLINTH_REGISTRY_UNKNOWN, PLINTH_SERVICE_CYCLE details `{ path }`, PLINTH_SERVICE_CREATE_FAILED */
  get(uid: string): unknown {
    if (this.#instances.has(uid)) return this.#instances.get(uid);
    const start = this.#creating.indexOf(uid);
    if (start >= 0) throw new ServiceCycleError({ path: [...this.#creating.slice(start), uid] });
    const implementation = this.#implementations.get(uid);
    this.#creating.push(uid);
    try {
      const instance = this.#create(implementation);
      this.#instances.set(uid, instance);
      return instance;
    } finally {
      this.#creating.pop();
    }
  }

  #create({ uid, deps, create }: ServiceImpl): unknown {
    try {
      const resolved = Object.fromEntries(Object.entries(deps).map(([key, dependency]) => [key, this.get(dependency)]));
      return create(resolved, this.contextOf(this.#implementations.ownerOf(uid)));
    } catch (cause) {
      if (isPlinthError(cause)) throw cause;
      throw new ServiceCreateError({ service: uid, reason: reasonOf(cause) }, { cause });
    }
  }
}
