import { describe, expect, it } from '@jest/globals';
import { compileProvider } from '#provider-document';
import { fieldsOfSchema } from './schema-fields.js';
import { traceFields } from './trace-fields.js';
import type { ModelRecord } from './vendor-model.js';

const provider = compileProvider(`
provider: custom_traced
version: 1.0.0
fullname: Traced
vendor: Acme
http: { base_url: '"https://acme.example"' }
mappings:
  thing:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id
        root.severity_id = match this.level { "high" => 4, "low" => 2, _ => 0 }
        root.name = this.label | this.title
        root.is_open = this.open
        root.time = this.seen_at.ts_parse("2006-01-02T15:04:05Z").ts_unix_milli()
        root.tags = (this.tags | []).map_each(tag -> tag.name)
        root.unmapped = this.without("id", "level", "label", "title", "open", "seen_at", "tags", "secret")
operations:
  custom_query:
    steps: [{ name: list, path: /things }]
    rows: this.steps.list
    response: thing
`);

const record: ModelRecord = {
  name: 'thing',
  mapping: 'thing',
  source: '',
  fields: [
    { path: 'id', kind: 'integer' },
    { path: 'level', kind: 'high|low' },
    { path: 'label', kind: 'text' },
    { path: 'title', kind: 'text' },
    { path: 'open', kind: 'boolean' },
    { path: 'seen_at', kind: 'time' },
    { path: 'tags[].name', kind: 'text' },
    { path: 'tags[].color', kind: 'text' },
    { path: 'owner.mail', kind: 'mail' },
    { path: 'secret', kind: 'text' },
  ],
  always: { seen_at: '2026-01-01T00:00:00Z' },
  input: undefined,
  path: {},
  selectedBy: undefined,
  dropped: {},
};

describe('the fields of a model', () => {
  it('are found in our record by their values, or by what changes with them', () => {
    const traced = traceFields(provider, record, {});
    const places = traced.map(({ path, mapped, isUnmapped }) => [
      path,
      isUnmapped ? 'unmapped' : mapped.join(),
    ]);
    expect(Object.fromEntries(places)).toEqual({
      id: 'id',
      level: 'severity_id',
      label: 'name',
      title: 'name',
      open: 'is_open',
      seen_at: 'time',
      'tags[].name': 'tags',
      'tags[].color': '',
      'owner.mail': 'unmapped',
      secret: '',
    });
  });

  it('are those of a schema, with its references, alternatives, lists and enumerations', () => {
    const document = {
      definitions: {
        Thing: {
          allOf: [
            { $ref: '#/definitions/Named' },
            {
              properties: {
                level: { type: 'string', enum: ['high', 'low'] },
                tags: { type: 'array', items: { $ref: '#/definitions/Named' } },
                parent: { $ref: '#/definitions/Thing' },
                seen_at: { anyOf: [{ type: 'null' }, { type: 'string', format: 'date-time' }] },
                extra: { type: 'object', additionalProperties: { type: 'number' } },
              },
            },
          ],
        },
        Named: { properties: { name: { type: ['string', 'null'] } } },
      },
    };
    const fields = fieldsOfSchema(document, { $ref: '#/definitions/Thing' });
    expect(fields.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      'name text',
      'level high|low',
      'tags[].name text',
      'parent any',
      'seen_at time',
      'extra{} number',
    ]);
  });
});
