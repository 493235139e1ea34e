export { applyPatch } from './apply-patch.js';
export { type Difference, findDifference } from './find-difference.js';
export type { KnownMembers } from './check-members.js';
export { PatchError } from './patch-error.js';
export { type PatchOperation, readStep } from './patch-step.js';
export { formatPointer, isAtOrBelow, parsePointer, valuesAt } from './pointer.js';
