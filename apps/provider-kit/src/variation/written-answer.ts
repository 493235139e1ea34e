import type { FakeResponse } from '#fakes';
import { type CompiledDocument, compileDocument } from '@onefold/mapping';
import { type Json, writeJson } from './variants.js';

type Written = Pick<FakeResponse, 'body' | 'headers'>;

/** Reads an answer of JSON or XML, as mappings do; undefined for one without values. */
export function readAnswer({ body, headers }: Written): Json | undefined {
  const type = headers['content-type'] ?? '';
  if (body.length === 0) return undefined;
  const text = Buffer.from(body).toString();
  if (/json/.test(type)) return JSON.parse(text) as Json;
  return /xml/.test(type) ? readXml(text) : undefined;
}

/** Writes an answer in the form of another. */
export function writeAnswer({ headers }: Written, answer: Json): string {
  if (!/xml/.test(headers['content-type'] ?? '')) return writeJson(answer);
  return writer.run({ answer: writable(JSON.parse(writeJson(answer)) as Json) })?.record as string;
}

/** Without attributes that XML cannot have: null, lists and objects. */
function writable(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(writable);
  const kept = Object.entries(value).filter(
    ([name, one]) => !name.startsWith('-') || (typeof one !== 'object' && one !== null),
  );
  return Object.fromEntries(kept.map(([name, one]) => [name, writable(one)]));
}

/** Reads XML as mappings do; undefined for another text. */
export function readXml(text: string): Json | undefined {
  if (!/^\s*</.test(text)) return undefined;
  return reader.run(text)?.record as Json;
}

const reader = compile('root = this.parse_xml()');
const writer = compile('root = this.answer.format_xml(no_indent: true).string()');

function compile(mapping: string): CompiledDocument {
  const document = { engine: 'bloblang_direct', version: '1.0', templates: { default: mapping } };
  return compileDocument(JSON.stringify(document));
}
