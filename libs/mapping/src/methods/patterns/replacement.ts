import type { RE2JS } from 're2js';
import type { Run } from '../../language/run.js';
import type { NativePattern } from './native-pattern.js';
import { payNative } from './patterns.js';

/** A text that stands for the text of a match. */
export interface Replacement {
  /** Characters of the replacement as it was written. */
  length: number;
  /** Texts and groups that make it up. */
  pieces: number;
  /** The text itself, if it is the same for each match. */
  fixed: string | undefined;
  expand: (group: (index: number) => string | null | undefined) => string;
  /** The same for the host's engine, if it knows such: it copies short ones faster than a function can give them. */
  short: string | undefined;
}

/** Short replacements of short texts cannot make much of them. */
const [maxShort, maxShortGroups, maxShortText] = [32, 3, 255];

/** Replacements of more pieces are joined, those of fewer added up, which is faster. */
const maxAdded = 8;

/** Reads a replacement: `$1`, `${1}` and `${name}` are groups; what names no group is empty. */
export function replacementOf(template: string, pattern: RE2JS): Replacement {
  const { length } = template;
  if (!template.includes('$'))
    return {
      length,
      pieces: 1,
      fixed: template,
      expand: () => template,
      short: length > maxShort ? undefined : template,
    };
  const indexes = pattern.namedGroups();
  const parts: (string | number)[] = [];
  let last = 0;
  for (const found of template.matchAll(/\$(?:\$|\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g)) {
    const [all, braced, bare] = found;
    parts.push(template.slice(last, found.index));
    last = found.index + all.length;
    const name = braced ?? bare;
    if (name === undefined) parts.push('$');
    else {
      const index = /^\d+$/.test(name)
        ? Number(name)
        : Object.hasOwn(indexes, name)
          ? indexes[name]
          : undefined;
      if (index !== undefined && index <= pattern.groupCount()) parts.push(index);
    }
  }
  parts.push(template.slice(last));
  const textsOf = (group: Parameters<Replacement['expand']>[0]) =>
    parts.map((part) => (typeof part === 'string' ? part : (group(part) ?? '')));
  const expand: Replacement['expand'] = (group) => {
    // A sum of many texts is a tree of them, some 30 bytes for each, which the host keeps until it joins all matches.
    if (parts.length > maxAdded) return textsOf(group).join('');
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : (group(part) ?? '');
    return text;
  };
  const pieces = parts.length;
  return { length, pieces, fixed: undefined, expand, short: shortOf(length, parts) };
}

function shortOf(length: number, parts: readonly (string | number)[]): string | undefined {
  const groups = parts.filter((part) => typeof part === 'number');
  if (length > maxShort || groups.length > maxShortGroups) return undefined;
  return parts
    .map((part) =>
      typeof part === 'string'
        ? part.replaceAll('$', '$$$$')
        : part === 0
          ? '$&'
          : `$${String(part).padStart(2, '0')}`,
    )
    .join('');
}

/** Replaces every match on the host's engine; undefined, with nothing paid, where the linear one has to do it. */
export function replaceNative(
  native: NativePattern | undefined,
  text: string,
  { length, pieces, fixed, expand, short }: Replacement,
  run: Run,
): string | undefined {
  const finder = fixed === undefined ? native?.groupFinder() : native?.finder();
  if (finder === undefined || !payNative(native, text, run)) return undefined;
  if (short !== undefined && text.length <= maxShortText) {
    // As if there were a match at every other character.
    run.spend(text.length >> 2);
    const replaced = text.replace(finder, short);
    run.string(replaced.length);
    run.holdText(replaced.length);
    return replaced;
  }
  let grown = 0;
  const grow = (added: string): string => {
    run.spend(pieces + (length >> 4));
    run.string(added.length);
    grown += added.length;
    // Refused before it is made.
    if (text.length + grown > run.limits.stringLength) run.string(text.length + grown);
    return added;
  };
  const result =
    fixed === undefined
      ? text.replace(finder, (...found: string[]) => grow(expand((index) => found[index])))
      : text.replace(finder, () => grow(fixed));
  run.string(Math.max(0, result.length - grown));
  run.holdText(result.length);
  return result;
}
