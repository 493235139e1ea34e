import { languages } from '../languages/index.js';
import type { Filter, List, Page } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';
import type { Known } from './read-checks.js';

const defaultPageSize = 100;

/** The key that says where a page begins, by kind. */
const placeKeys = {
  offset: 'at',
  number: 'at',
  cursor: 'token',
  values: 'after',
  relay: 'token',
} as const;
/** Keys of one kind alone. */
const ownKeys = { cursor: ['frozen', 'expires', 'endless'], relay: ['before', 'last'] } as const;

export function readList(reader: FakeReader, part: Part, known: Known): List {
  const from = part.get('from');
  const rows = part.get('rows');
  if ((from === undefined) === (rows === undefined))
    reader.fault(part.path, 'a list needs either from or rows');
  const page = part.get('page');
  return {
    place: part.path.join('.'),
    from: from && reader.checkName(from, 'collection', known.collections),
    rows: reader.optionalQuery(rows),
    filters: (part.get('filter')?.items() ?? []).flatMap((one) => readFilter(reader, one)),
    where: reader.optionalQuery(part.get('where')),
    order: reader.optionalQuery(part.get('order')),
    stale: reader.optionalQuery(part.get('stale')),
    page: page && readPage(reader, page),
  };
}

function readFilter(reader: FakeReader, part: Part): Filter[] {
  reader.raises('bad_query');
  const [language, text, fields] = ['language', 'text', 'fields'].map((key) => part.get(key));
  if (language === undefined || text === undefined) return [];
  const found = languages.get(reader.checkName(language, 'query language', languages.keys()));
  if (found === undefined) return [];
  return [
    {
      language: found,
      text: reader.readQuery(text),
      fields: fields && readFields(fields),
      operators: part.texts('operators'),
    },
  ];
}

function readFields(part: Part): Map<string, string> {
  if (part.isObject)
    return new Map(part.entries().map(([name, path]) => [name, String(path.scalar)]));
  return new Map(part.items().map(({ scalar }) => [String(scalar), String(scalar)]));
}

function readPage(reader: FakeReader, part: Part): Page {
  const kind = (part.text('kind') ?? 'offset') as Page['kind'];
  if (part.text('kind') === undefined) reader.fault(part.path, 'a page needs "kind"');
  const place = part.get(placeKeys[kind]);
  for (const key of new Set(Object.values(placeKeys)))
    if (key !== placeKeys[kind] && part.get(key) !== undefined)
      reader.fault(
        part.get(key)?.path ?? part.path,
        `a page of kind ${kind} has no "${key}"`,
        `Where it begins is "${placeKeys[kind]}".`,
      );
  if (place === undefined)
    reader.fault(part.path, `a page of kind ${kind} needs "${placeKeys[kind]}"`);
  for (const [owner, keys] of Object.entries(ownKeys))
    for (const key of keys)
      if (kind !== owner && part.get(key) !== undefined)
        reader.fault(
          part.get(key)?.path ?? part.path,
          `only a page of kind ${owner} can have "${key}"`,
        );
  if (kind in ownKeys) reader.raises('bad_cursor');
  const maxSize = part.number('maximum') ?? Infinity;
  return {
    kind,
    size: reader.optionalQuery(part.get('size')),
    defaultSize: part.number('default') ?? Math.min(defaultPageSize, maxSize),
    maxSize,
    at: reader.optionalQuery(place),
    before: reader.optionalQuery(part.get('before')),
    last: reader.optionalQuery(part.get('last')),
    first: part.number('first') ?? 1,
    parameter: part.text('parameter'),
    frozen: part.flag('frozen'),
    expiresSeconds: part.number('expires'),
    endless: part.flag('endless'),
    unseen: reader.optionalQuery(part.get('unseen')),
    ends: part.number('ends') ?? Infinity,
    isWhole: part.flag('whole'),
  };
}
