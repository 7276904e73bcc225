/** `@plinth/core/access`: for plugins that authenticate requests, or decide what a caller may do. */
export { allowAction, EVERYTHING, NOTHING, unlimited } from "../access/ability.js";
export { assertCan, createAccess } from "../access/access.js";
export type { AccessConfig } from "../access/access-config.js";
export { parseAccessConfig } from "../access/access-config.js";
export type { AccessProblem } from "../access/check-grant.js";
export { checkGrant } from "../access/check-grant.js";
export type { Grant } from "../access/grant.js";
export { createAbility, mergeGrants } from "../access/grant.js";
export type { Variables } from "../access/rule.js";
export { addressGroup } from "../access/limits/address-group.js";
export type { Addition, Count, Counters } from "../access/limits/counters.js";
export { counterKey, createDatabaseCounters } from "../access/limits/counters.js";
export type { Admission, LoginGuard, LoginOutcome } from "../access/limits/login-guard.js";
export { createLoginGuard } from "../access/limits/login-guard.js";
export { passwordWeakness } from "../access/passwords/weak-password.js";
export { actionsOfType, DRAFT_ACTIONS, FIND_DRAFTS } from "../access/type-actions.js";
export type { PermissionEntry } from "../app/permissions/permissions.js";
export { transformGrantProblems, transformPermissions } from "../app/permissions/permissions.js";
