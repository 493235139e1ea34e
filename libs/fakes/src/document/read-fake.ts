import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { TextInDocument } from '@onefold/mapping';
import type {
  Collection,
  ErrorLook,
  Errors,
  FakeDocument,
  Limit,
  VendorFault,
} from './fake-document.js';
import { FakeReader, type OnText, type ReadFile } from './fake-reader.js';
import { Styles } from './merge-styles.js';
import { Part } from './part.js';
import { readAuth } from './read-auth.js';
import { readOdd, readOddRecords } from './read-odd.js';
import { readRoute, takesForm } from './read-route.js';

/** Properties of `errors` that are not names of errors. */
const errorKeys: readonly string[] = ['body', 'headers', 'type'];
const engineErrors = ['no_route', 'no_method', 'failure', 'limited'];

/** A document that was compiled, the texts of its files, and those of its expressions. */
interface CompiledFake {
  document: FakeDocument;
  files: ReadonlyMap<string, string>;
  texts: readonly TextInDocument[];
}

const maxCompiled = 8;
const compiled = new LRUCache<string, CompiledFake>({ max: maxCompiled });

/**
 * Reads and compiles a fake document with the files that it includes, which are beside it. As long as their texts are the same it returns the
 * same document, whose records are made once.
 * @param onText is told about each expression, for lint
 * @throws as {@link readFake} does
 */
export function readFakeFile(file: URL, onText?: OnText): FakeDocument {
  const read = (name: string) => readFileSync(new URL(name, file), 'utf8');
  const known = compiled.get(file.href);
  const isSame = known !== undefined && [...known.files].every(([name, was]) => read(name) === was);
  const { document, texts } = isSame ? known : compileFile(file, read);
  if (onText !== undefined) texts.forEach(onText);
  return document;
}

function compileFile(file: URL, read: ReadFile): CompiledFake {
  const files = new Map<string, string>();
  const texts: TextInDocument[] = [];
  const readText = (name: string) => {
    const text = read(name);
    files.set(name, text);
    return text;
  };
  const document = readFake(readText(file.href), readText, (one) => texts.push(one));
  const made = { document, files, texts };
  compiled.set(file.href, made);
  return made;
}

/**
 * Reads and compiles a fake document.
 * @param readFile reads the files that it includes; without it, there can be none
 * @param onText is told about each expression, for lint
 * @throws MappingError with every fault at its line and column; those of an included file name the file
 */
export function readFake(source: string, readFile?: ReadFile, onText?: OnText): FakeDocument {
  const reader = new FakeReader(source, readFile, onText);
  const root = Part.of(reader.whole);
  const templates = root.get('templates')?.entries() ?? [];
  const collections = root.get('collections')?.entries() ?? [];
  reader.appliedNames = new Set([...templates, ...collections].map(([name]) => name));
  for (const name of engineErrors) reader.raises(name);

  const known = {
    hasAuth: root.get('auth') !== undefined,
    collections: new Set(collections.map(([name]) => name)),
    buckets: new Set((root.get('limits')?.get('buckets')?.entries() ?? []).map(([name]) => name)),
  };
  for (const [name, part] of templates)
    if (known.collections.has(name))
      reader.fault(part.path, `"${name}" is both a template and a collection`);
  const styles = new Styles(reader, root.get('styles'));
  const routes = (root.get('routes')?.entries() ?? []).map(([key, part]) =>
    readRoute(reader, { key, place: part.path, part: styles.merge(part), known }),
  );
  if (routes.length === 0) reader.fault(['routes'], 'the fake has no routes');
  const ignoresCase = root.flag('case_insensitive_paths');
  const places = new Map<string, string>();
  const takesForms = root.flag('parameters_in_forms');
  for (const { key, methods, path, field = '' } of routes)
    for (const method of methods) {
      // A form is told from other bodies.
      const body = takesForms && method === 'POST' && takesForm({ methods }) ? ' form' : '';
      const pattern = path.replace(/\{[^{}]*\}/g, '{}');
      const place = `${method}${body} ${ignoresCase ? pattern.toLowerCase() : pattern} ${field}`;
      if (places.has(place)) reader.fault(['routes', key], `${method} ${path} is already a route`);
      places.set(place, key);
    }
  const auth = root.get('auth');
  if (auth !== undefined) {
    reader.raises('unauthenticated');
    reader.raises('expired_token');
  }
  const refusesUnknownParameters = root.flag('refuse_unknown_parameters');
  if (refusesUnknownParameters) reader.raises('bad_parameter');
  const errors = readErrors(reader, root.get('errors') ?? Part.of({}));
  const document: FakeDocument = {
    name: root.text('fake') ?? '',
    constants: (root.get('let')?.toPlain() ?? {}) as Record<string, unknown>,
    refusesUnknownParameters,
    takesForms,
    pathSuffix: root.text('path_suffix'),
    collections: new Map(
      collections.map(([name, part]) => [name, readCollection(reader, name, part)]),
    ),
    templates: new Map(templates.map(([name, part]) => [name, reader.readTemplate(part)])),
    auth: auth && readAuth(reader, auth),
    limits: readLimits(root.get('limits')),
    headers: reader.readHeaders(root.get('headers')),
    errors,
    faults: new Map(
      (root.get('faults')?.entries() ?? []).map(([name, part]) => [name, readFault(reader, part)]),
    ),
    routes: routes
      .map((route) => (ignoresCase ? { ...route, pattern: new RegExp(route.pattern, 'i') } : route))
      .toSorted((a, b) => b.literals - a.literals),
    mock: readMock(reader, root.get('mock'), auth),
    odd: readOdd(reader, root.get('odd'), routes),
  };
  reader.checkErrors(new Set(errors.named.keys()));
  reader.finishAll();
  return document;
}

function readCollection(reader: FakeReader, name: string, part: Part): Collection {
  const id = part.get('id');
  if (part.get('row') !== undefined && part.get('from') === undefined)
    reader.fault(part.get('row')?.path ?? part.path, '"row" needs "from", which it maps');
  return {
    name,
    from: reader.optionalQuery(part.get('from')),
    row: reader.optionalTemplate(part.get('row')),
    id: id === undefined ? reader.constantQuery('this.id', part) : reader.readQuery(id),
    also: part.texts('also') ?? [],
    hidden: part.texts('hidden') ?? [],
    inside: part.text('inside'),
    visibleAfterMs: (part.number('visible_after') ?? 0) * 1_000,
    odd: readOddRecords(part.get('odd')),
  };
}

function readErrors(reader: FakeReader, part: Part): Errors {
  const body = part.get('body') ?? Part.of('root = {}');
  return {
    body: reader.readTemplate(body),
    headers: reader.readHeaders(part.get('headers')),
    type: part.text('type') ?? 'application/json',
    named: new Map(
      part
        .entries()
        .filter(([name]) => !errorKeys.includes(name))
        .map(([name, error]) => [name, readError(reader, error)]),
    ),
  };
}

function readError(reader: FakeReader, part: Part): ErrorLook {
  return {
    status: part.number('status') ?? 500,
    message: reader.readText(part.get('message') ?? Part.of('')),
    values: (part.get('values')?.toPlain() ?? {}) as Record<string, unknown>,
    headers: reader.readHeaders(part.get('headers')),
    body: reader.optionalTemplate(part.get('body')),
  };
}

function readFault(reader: FakeReader, part: Part): VendorFault {
  const error = part.get('error');
  return {
    match: part.text('match') ?? '',
    alter: reader.optionalTemplate(part.get('alter')),
    error: error && reader.raises(String(error.scalar), error),
  };
}

function readLimits(part: Part | undefined): FakeDocument['limits'] {
  if (part === undefined) return undefined;
  const limit = (one: Part | undefined): Limit => ({
    requests: one?.number('requests') ?? 1,
    seconds: one?.number('seconds') ?? 1,
  });
  const buckets = part.get('buckets')?.entries() ?? [];
  return {
    fallback: limit(part.get('default')),
    buckets: new Map(buckets.map(([name, one]) => [name, limit(one)])),
  };
}

function readMock(reader: FakeReader, part: Part | undefined, auth: Part | undefined) {
  const principal = part?.text('principal');
  if (principal !== undefined && auth?.get('principals')?.get(principal) === undefined)
    reader.fault(part?.get('principal')?.path ?? [], `there is no principal "${principal}"`);
  const configuration = (part?.get('configuration')?.toPlain() ?? {}) as Record<string, unknown>;
  return { configuration, principal };
}
