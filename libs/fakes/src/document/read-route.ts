import type { Path } from '#document';
import type { Input, Lookup, Parameter, Route } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';
import { type Known, readChecks } from './read-checks.js';
import { readList } from './read-list.js';
import { readWrites } from './read-writes.js';

/** Maximum size of a file, if the document says none. */
export const defaultMaxFileBytes = 26_214_400;

/** True for a route that takes the parameters of its query from a form as well, if the document says so. */
export function takesForm({ methods }: Pick<Route, 'methods'>): boolean {
  return methods.includes('GET') && methods.includes('POST');
}

interface MergedRoute {
  key: string;
  place: Path;
  part: Part;
  known: Known;
}

export function readRoute(reader: FakeReader, { key, place, part, known }: MergedRoute): Route {
  const [methods = '', path = '', field] = key.split(' ');
  const list = part.get('list');
  const body = part.get('body');
  if (list !== undefined && body === undefined && part.get('messages') === undefined)
    reader.fault(list.path, 'a route with a list needs a body or messages');
  if (part.get('each') !== undefined && part.get('write') === undefined)
    reader.fault(part.get('each')?.path ?? place, '"each" needs a write');
  const takesBody = methods
    .split('|')
    .some((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const input = readInput(reader, part.get('input'));
  if (field !== undefined) reader.raises('bad_query');
  if (takesBody && input.kind !== 'none') reader.raises('bad_body');
  if (input.kind === 'file') reader.raises('too_large');
  if (part.text('encoding') === 'file') reader.raises('bad_range');
  const access = part.get('access');
  if (access !== undefined && access.scalar !== 'none') {
    if (known.hasAuth) reader.raises('forbidden');
    else reader.fault(access.path, 'a scope needs auth, which the document does not have');
  }
  return {
    key,
    methods: methods.split('|'),
    path,
    field,
    ...readPattern(reader, place, path),
    access:
      access === undefined ? undefined : access.scalar === 'none' ? null : String(access.scalar),
    limit: readBucket(reader, part.get('limit'), known),
    parameters: readParameters(reader, part.get('parameters')),
    input,
    with: readWith(reader, part.get('with'), known),
    let: new Map(
      (part.get('let')?.entries() ?? [])
        .filter(([, one]) => !one.isNull)
        .map(([name, one]) => [name, reader.readQuery(one)]),
    ),
    checks: readChecks(reader, part.get('checks')),
    list: list && readList(reader, list, known),
    each: reader.optionalQuery(part.get('each')),
    atomic: part.flag('atomic'),
    writes: readWrites(reader, part.get('write'), known),
    messages: reader.optionalQuery(part.get('messages')),
    status: reader.optionalQuery(part.get('status')),
    headers: reader.readHeaders(part.get('headers')),
    type: part.text('type'),
    encoding: (part.text('encoding') ?? 'json') as Route['encoding'],
    body: reader.optionalTemplate(body),
  };
}

/** Finds `{id}` and `{+id}` in a path. */
function readPattern(
  reader: FakeReader,
  place: Path,
  path: string,
): Pick<Route, 'pattern' | 'names' | 'literals'> {
  const names: string[] = [];
  const source = path
    .split(/(\{[^{}]*\})/)
    .map((piece) => {
      const found = /^\{(\+?)([A-Za-z_]\w*)\}$/.exec(piece);
      if (found === null) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(found[2] ?? '');
      return found[1] === '+' ? '(.+)' : '([^/]+)';
    })
    .join('');
  if (/[{}]/.test(path.replace(/\{\+?[A-Za-z_]\w*\}/g, '')))
    reader.fault(place, `${path} has a brace that does not name a parameter`);
  if (new Set(names).size < names.length) reader.fault(place, `${path} names a parameter twice`);
  const literals = path.split('/').filter((segment) => !segment.includes('{')).length;
  return { pattern: new RegExp(`^${source}$`), names, literals };
}

function readBucket(reader: FakeReader, part: Part | undefined, { buckets }: Known): string | null {
  if (part?.scalar === 'none') return null;
  if (part === undefined || part.scalar === 'default') return 'default';
  return reader.checkName(part, 'bucket of limits', buckets);
}

function readParameters(reader: FakeReader, part: Part | undefined): Map<string, Parameter> {
  const entries = (part?.entries() ?? []).filter(([, one]) => !one.isNull);
  if (entries.length > 0) reader.raises('bad_parameter');
  return new Map(entries.map(([name, one]) => [name, readParameter(name, one)]));
}

function readParameter(name: string, part: Part): Parameter {
  return {
    name,
    type: (part.text('type') ?? 'string') as Parameter['type'],
    default: part.get('default')?.toPlain() ?? null,
    required: part.flag('required'),
    minimum: part.number('minimum') ?? -Infinity,
    maximum: part.number('maximum') ?? Infinity,
    clamp: part.flag('clamp'),
    values: part.get('values')?.toPlain() as Parameter['values'],
    split: part.text('split'),
    maxLength: part.number('max_length') ?? Infinity,
    in: (part.text('in') ?? 'query') as Parameter['in'],
  };
}

function readInput(reader: FakeReader, part: Part | undefined): Input {
  return {
    kind: part?.text('kind') as Input['kind'],
    pairs: part?.flag('pairs') ?? false,
    single: reader.optionalQuery(part?.get('single')),
    required: part?.flag('required') ?? false,
    maxBytes: part?.number('max_bytes') ?? defaultMaxFileBytes,
  };
}

function readWith(reader: FakeReader, part: Part | undefined, known: Known): Map<string, Lookup> {
  const entries = (part?.entries() ?? []).filter(([, one]) => !one.isNull);
  return new Map(
    entries.map(([name, one]) => {
      const [from, id, where, missing] = ['from', 'id', 'where', 'missing'].map((key) =>
        one.get(key),
      );
      if (from === undefined) reader.fault(one.path, `"${name}" needs from`);
      if ((id === undefined) === (where === undefined))
        reader.fault(one.path, `"${name}" needs either id or where`);
      return [
        name,
        {
          from: from === undefined ? '' : reader.checkName(from, 'collection', known.collections),
          id: reader.optionalQuery(id),
          where: reader.optionalQuery(where),
          missing: missing && reader.raises(String(missing.scalar), missing),
        },
      ];
    }),
  );
}
