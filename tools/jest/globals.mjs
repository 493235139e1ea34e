// `@jest/globals` for spec files (see resolve-globals.mjs). Importers see each assignment, because imports are bindings.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** Sets the functions of the spec file that is imported next. */
export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
