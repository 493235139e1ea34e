import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject } from 'ajv';

const { $schema: _draft4, ...schema } = JSON.parse(
  readFileSync(new URL('./description/adf.json', import.meta.url), 'utf8'),
) as AnySchemaObject;
const validate = new Ajv({ strict: false, validateSchema: false, logger: false }).compile(schema);

/** True if a value is a document in Atlassian Document Format, by Atlassian's own schema. */
export function isDocument(value: unknown): boolean {
  return validate(value) === true;
}

export function documentOf(text: string): unknown {
  const content = text === '' ? [] : [{ type: 'text', text }];
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content }] };
}

/** Returns all text of a document, which the search reads. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { text, content } = value as { text?: string; content?: unknown[] };
  return [text ?? '', ...(content ?? []).map(textOf)].join(' ').trim();
}
