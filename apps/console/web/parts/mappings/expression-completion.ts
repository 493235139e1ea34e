import { type Complete, type Completion, type Completions, matching } from '../completion.js';

/** A method or a function, as `tools/mapping-language.mjs` describes it. */
export interface Callable {
  name: string;
  signature: string;
  description: string;
  parameters: readonly string[];
  examples: readonly string[];
}

/** Names that expressions of a document may use. */
export interface Vocabulary {
  methods: readonly Callable[];
  functions: readonly Callable[];
  /** Fields of the value at a path, such as `custom_fields`. */
  fieldsOf: (subject: 'this' | 'root', path: readonly string[]) => readonly Completion[];
}

const step = String.raw`(?:\w+|"(?:[^"\\]|\\.)*")`;
const pathAtEnd = new RegExp(String.raw`(?:^|[^\w.")\]])(this|root)((?:\.${step})*)\.(\w*)$`);
const methodAtEnd = /(?:[A-Za-z_]\w*|[)\]}"])\.(\w*)$/;
const templateAtEnd = /\.apply\("([^"]*)$/;
const wordAtEnd = /(?:^|[^\w.$@"])([A-Za-z_]\w+)$/;

/** Returns what completes expressions of the mapping language, in the lines of templates. */
export function expressionCompletion({ methods, functions, fieldsOf }: Vocabulary): Complete {
  const ofMethods = methods.map(asCall);
  const ofFunctions = functions.map(asCall);
  return (text, offset) => {
    const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
    const from = (typed: string, options: readonly Completion[]): Completions => ({
      from: offset - typed.length,
      options: matching(options, typed),
    });
    const template = templateAtEnd.exec(line);
    if (template) return from(template[1] ?? '', templatesOf(text));
    if (isQuoted(line)) return undefined;
    const path = pathAtEnd.exec(line);
    if (path) {
      const [, subject = '', steps = '', typed = ''] = path;
      const fields = fieldsOf(subject as 'this' | 'root', stepsOf(steps));
      // A field that is assigned to has no methods.
      const isTarget = subject === 'root' && !line.includes('=');
      return from(typed, isTarget ? fields : [...fields, ...ofMethods]);
    }
    const method = methodAtEnd.exec(line);
    if (method) return from(method[1] ?? '', ofMethods);
    const word = /[=(,]|->/.test(line) ? wordAtEnd.exec(line) : null;
    return word ? from(word[1] ?? '', ofFunctions) : undefined;
  };
}

function asCall({ name, signature, description, parameters, examples }: Callable): Completion {
  const hasArguments = parameters.length > 0 || signature.includes('...');
  return {
    name,
    inserted: `${name}()`,
    ...(hasArguments ? { cursor: name.length + 1 } : {}),
    detail: signature.slice(name.length),
    description,
    ...(examples[0] === undefined ? {} : { example: examples[0] }),
  };
}

/** Names of templates and maps of the document. */
function templatesOf(text: string): Completion[] {
  const [, block = ''] = /^templates:[^\n]*\n((?:[ \t][^\n]*\n?|\n)*)/m.exec(text) ?? [];
  const indent = /^[ \t]+/.exec(block)?.[0] ?? '  ';
  const templates = [...block.matchAll(new RegExp(`^${indent}([\\w.-]+|"[^"]+"|'[^']+'):`, 'gm'))];
  const maps = [...text.matchAll(/^\s*map\s+(\w+)\s*\{/gm)];
  const names = [...templates, ...maps].map(([, name = '']) => name.replaceAll(/["']/g, ''));
  return [...new Set(names)].map((name) => ({ name, detail: 'template of this document' }));
}

/** Whether the end of a line is in a text or a comment. */
function isQuoted(line: string): boolean {
  const withoutTexts = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return /"[^"]*$/.test(withoutTexts.replaceAll('""', '')) || /(?:^|\s)#/.test(withoutTexts);
}

/** `.a."b c"` → `a`, `b c` */
function stepsOf(path: string): string[] {
  return [...path.matchAll(new RegExp(`\\.(${step})`, 'g'))].map(([, one = '']) =>
    one.startsWith('"') ? (JSON.parse(one) as string) : one,
  );
}
