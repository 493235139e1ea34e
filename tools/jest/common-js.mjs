// Compiles ES modules that our code requires to CommonJS: Jest's own module loader, which coverage needs, cannot require them.
import ts from 'typescript';

const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };

export default {
  process: (text) => ({ code: ts.transpileModule(text, { compilerOptions: options }).outputText }),
  // Imports need no change.
  processAsync: async (text) => ({ code: text }),
};
