// A hook of Node's module loader: `@jest/globals` is globals.mjs, because the package itself works in Jest's module loader only.
const globals = new URL('./globals.mjs', import.meta.url).href;

export function resolve(specifier, context, next) {
  return specifier === '@jest/globals'
    ? { url: globals, shortCircuit: true }
    : next(specifier, context);
}
