import { parseJson, type Value } from '@onefold/mapping';
import type { Scope } from '../document/expressions.js';
import type { Input } from '../document/fake-document.js';
import { FakeRefusal, type ReadRequest } from './messages.js';

/**
 * Reads the body of a request as the route says, else by its media type.
 * @param form the fields of multipart/form-data, which cannot be read at once
 * @throws FakeRefusal bad_body
 */
export function readInput(
  input: Input,
  request: ReadRequest,
  form: Readonly<Record<string, Value>> | undefined,
  scope: Scope,
): Value {
  const bytes = request.body ?? new Uint8Array();
  if (input.kind === 'none') return null;
  if (bytes.length === 0) {
    if (input.required) throw new FakeRefusal('bad_body', 'the body is missing');
    return null;
  }
  const type = request.headers['content-type'] ?? '';
  const kind = input.kind ?? kindOf(type);
  if (kind === 'bytes') return bytes;
  const text = Buffer.from(bytes).toString();
  switch (kind) {
    case 'json':
      return readJson(text);
    case 'form':
      return readForm(text);
    case 'multipart':
      if (form === undefined) throw new FakeRefusal('bad_body', 'it is not multipart/form-data');
      return form;
    case 'ndjson':
      return readLines(input, text, scope);
    default:
      return text;
  }
}

export function readForm(text: string): Record<string, Value> {
  const form: Record<string, Value> = {};
  const all = new URLSearchParams(text);
  for (const name of new Set(all.keys())) {
    const values = all.getAll(name);
    form[name] = values.length === 1 ? values[0] : values;
  }
  return form;
}

function kindOf(type: string): Input['kind'] {
  const media = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (media === 'application/json' || media.endsWith('+json')) return 'json';
  if (media === 'application/x-www-form-urlencoded') return 'form';
  if (media === 'multipart/form-data') return 'multipart';
  return media.includes('ndjson') ? 'ndjson' : 'text';
}

function readJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FakeRefusal('bad_body', error.message);
  }
}

function readLines({ pairs, single }: Input, text: string, scope: Scope): Value {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readJson);
  if (!pairs) return lines;
  const paired: Value[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const head = lines[at];
    const isSingle = single?.holds({ ...scope, input: { head } }) ?? false;
    if (!isSingle && at + 1 >= lines.length)
      throw new FakeRefusal('bad_body', 'the last line has no line that belongs to it');
    paired.push({ head, row: isSingle ? null : lines[(at += 1)] });
  }
  return paired;
}
