import { suggestName } from '@onefold/mapping';
import type { FakeReader } from './fake-reader.js';
import { mergeParts, Part } from './part.js';

const maxStyles = 20;

const verbs = ['create', 'change', 'put', 'delete'] as const;
/** Keys of a route that are those of its only write. */
const writeKeys: readonly string[] = [...verbs, 'id', 'row', 'exists', 'missing', 'then', 'later'];

/**
 * Writes out the short forms of a route or style, so that styles merge with routes whichever form they use: `like: a` is a list,
 * `list: devices` an object, and the keys of a single write are the list `write`.
 */
export function writeOut(part: Part): Part {
  const own = part.entries().filter(([key]) => !writeKeys.includes(key));
  const single = part.entries().filter(([key]) => writeKeys.includes(key));
  const fields = own.map(([key, value]): readonly [string, Part] => {
    if (value.isNull) return [key, value];
    switch (key) {
      case 'like':
      case 'checks':
      case 'write':
        return [key, value.isList ? value : Part.list(value.path, [value])];
      case 'list':
        return [key, writeOutList(value)];
      case 'input':
        return [key, value.isObject ? value : Part.object(value.path, [['kind', value]])];
      default:
        return [key, value];
    }
  });
  if (single.length > 0) {
    // Kept apart until styles are merged: a style may have the id, and the route what happens to it.
    fields.push(['single', Part.object(part.path, single)]);
  }
  return Part.object(part.path, fields);
}

function writeOutList(value: Part): Part {
  if (!value.isObject) return Part.object(value.path, [['from', value]]);
  return Part.object(
    value.path,
    value.entries().map(([key, one]) => {
      const isOne = key === 'filter' && !one.isNull && !one.isList;
      return [key, isOne ? Part.list(one.path, [one]) : one] as const;
    }),
  );
}

/** Merges styles into routes. Faults go to the reader. */
export class Styles {
  private readonly written = new Map<string, Part>();

  constructor(
    private readonly reader: FakeReader,
    styles: Part | undefined,
  ) {
    for (const [name, style] of styles?.entries() ?? []) this.written.set(name, writeOut(style));
  }

  /** The whole route: its styles, those that they are like, and what is its own. */
  merge(route: Part): Part {
    const merged = this.over(writeOut(route), []);
    const single = merged.get('single');
    if (single === undefined) return merged;
    const write = merged.get('write');
    const fields = merged.entries().filter(([key]) => key !== 'single');
    const hasVerb = verbs.some((verb) => single.get(verb) !== undefined);
    if (write !== undefined || !hasVerb) {
      const [key = ''] = single.entries()[0] ?? [];
      this.reader.fault(
        single.entries()[0]?.[1].path ?? route.path,
        write !== undefined
          ? `"${key}" and "write" exclude each other`
          : `"${key}" needs one of ${verbs.join(', ')}`,
      );
      return Part.object(merged.path, fields);
    }
    return Part.object(merged.path, [...fields, ['write', Part.list(single.path, [single])]]);
  }

  private over(part: Part, chain: readonly string[]): Part {
    let base: Part | undefined;
    for (const like of part.get('like')?.items() ?? []) {
      const name = String(like.scalar);
      const style = this.written.get(name);
      if (style === undefined) {
        const known = [...this.written.keys()];
        this.reader.fault(like.path, `unknown style "${name}"`, suggestName(name, known));
        continue;
      }
      if (chain.includes(name) || chain.length >= maxStyles) {
        this.reader.fault(like.path, `the style "${name}" refers to itself`);
        continue;
      }
      const whole = this.over(style, [...chain, name]);
      base = base === undefined ? whole : mergeParts(base, whole);
    }
    return base === undefined ? part : mergeParts(base, part);
  }
}
