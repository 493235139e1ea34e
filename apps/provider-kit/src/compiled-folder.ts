import { documentProvider, type Provider } from '#connect';
import { type CompiledProvider, compileProviders } from '#provider-document';
import type { TextInDocument } from '@onefold/mapping';
import { watchFailures } from './document-failures.js';
import type { ProviderFolder } from './folders.js';

interface Compiled {
  providers: readonly Provider[];
  /** Each provider of the folder before it is one of the engine. */
  compiled: readonly CompiledProvider[];
  /** Parts shared by the providers of the folder. */
  document: CompiledProvider;
  /** Places of the `checks` and `errors` of the document. */
  places: string[];
  /** The texts of the files that were compiled, by their names. */
  files: ReadonlyMap<string, string>;
}

const compiledProviders = new Map<string, Compiled>();

function keyOfFolder(folder: ProviderFolder, pageSize?: number): string {
  return JSON.stringify([folder.url, pageSize, folder.readDocument()]);
}

/** Compiles the providers of a folder; those compiled from the same texts are reused. */
export function compiledOf(folder: ProviderFolder, pageSize?: number): Compiled {
  const key = keyOfFolder(folder, pageSize);
  const known = compiledProviders.get(key);
  if (known !== undefined && isOf(known, folder)) return known;
  const compiled = compile(folder, { pageSize });
  compiledProviders.set(key, compiled);
  return compiled;
}

/** Whether the files are as they were compiled: a check compiles others in place of those that it cannot read. */
function isOf({ files }: Compiled, folder: ProviderFolder): boolean {
  return [...files].every(([name, text]) => folder.has(name) && folder.read(name) === text);
}

/** Compiles the providers of a folder anew, for {@link compiledOf} too. @throws MappingError with every error of the document */
export function compileAnew(folder: ProviderFolder, options: CompileOptions): Compiled {
  const compiled = compile(folder, options);
  compiledProviders.set(keyOfFolder(folder), compiled);
  return compiled;
}

interface CompileOptions {
  pageSize?: number | undefined;
  readFile?: (name: string) => string;
  /** Is told about each expression, for lint. */
  onText?: (text: TextInDocument) => void;
}

function compile(
  folder: ProviderFolder,
  { pageSize, readFile = (name) => folder.read(name), onText }: CompileOptions,
): Compiled {
  const files = new Map<string, string>();
  const read = (name: string) => {
    const text = readFile(name);
    files.set(name, text);
    return text;
  };
  const compiled = compileProviders(folder.readDocument(), read, folder.functions, onText);
  const [first, ...others] = compiled;
  const places = watchFailures(first); // The providers of a document share their operations.
  for (const other of others) other.message = first.message;
  const operations = new Map(compiled.flatMap((one) => [...one.operations]));
  if (pageSize !== undefined)
    for (const { page } of operations.values()) if (page) page.source.size = pageSize;
  return {
    providers: compiled.map(documentProvider),
    compiled,
    document: { ...first, operations },
    places,
    files,
  };
}
