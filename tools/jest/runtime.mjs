// Jest's runtime without its module loader: Node itself imports the spec files, so that the modules which they share (Nest, TypeORM,
// ours) are loaded, compiled and optimized once per worker instead of once per file. State of a module is therefore shared by all spec
// files of a worker; a spec restores what it changes. `jest.mock` of modules does not work.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { setGlobals } from './globals.mjs';

register('./resolve-globals.mjs', import.meta.url);
const require = createRequire(import.meta.url);

export default class NativeRuntime extends Runtime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import(pathToFileURL(path).href);
  }

  /**
   * Loads the framework again for each file: it keeps the tests in its module and the event handlers in a global
   * variable.
   */
  requireInternalModule(path) {
    forget(path);
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.jestGlobals.jestObjectFor(this._testPath) });
  }
}

/** Lets the framework of the file before, and with it the tests of that file, be collected as garbage. */
function forget(path) {
  const siblings = require.cache[path]?.parent?.children;
  siblings?.splice(siblings.indexOf(require.cache[path]), 1);
  delete require.cache[path];
}
