import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ManagementSchemas } from '#contract';
import { type Service, startService } from './service.js';

type Problem = ManagementSchemas['Problem'];

const mapping = (template: string) =>
  `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    ${template}\n`;
const provider = (path: string) => `provider: custom_dry
version: 1.0.0
fullname: Dry
vendor: Tests
http: { base_url: '"https://dry.example.com"' }
operations:
  custom_get:
    steps: [{ path: '${path}' }]
    record: this.steps.call
`;

// "`dry_run=true` on creating and updating customs and mappings (our addition) answers every fault at once and stores nothing."
describe('a dry run', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const kinds = [
    ['customs', 'custom', provider('/things'), provider('/others')],
    ['mappings', 'mapping', mapping('root.id = this.id'), mapping('root.id = this.key')],
  ] as const;

  it.each(kinds)('of %s answers as usual, and stores nothing', async (path, field, data, other) => {
    const body = { name: `dry-${field}`, data };
    const dry = await service.call('POST', `/v1/${path}?dry_run=true`, body);
    expect(dry.status).toBe(200);
    expect(dry.result).toMatchObject({ [field]: { name: body.name, data } });
    expect((await service.call('GET', `/v1/${path}/${body.name}`)).status).toBe(404);

    const made = await service.call('POST', `/v1/${path}?dry_run=false`, body);
    const record = (made.result as Record<string, { id: string }>)[field];
    const at = `/v1/${path}/${record?.id}`;
    const put = await service.call('PUT', `${at}?dry_run=true`, { ...record, data: other });
    expect(put.result).toMatchObject({ data: other });
    const change = [{ op: 'replace', path: '/data', value: other }];
    const patch = await service.call('PATCH', `${at}?dry_run=true`, change);
    expect(patch.result).toMatchObject({ data: other });
    expect((await service.call('GET', at)).result).toMatchObject({ data });

    // Editors send one whenever somebody pauses: one record stands for those of ten minutes, and each change has its own.
    for (let count = 0; count < 2; count += 1)
      await service.call('PATCH', `${at}?dry_run=true`, change);
    const { result: trail } = await service.call<unknown[]>(
      'GET',
      `/v1/audit/organizations?filter=${encodeURIComponent(`path[like]"%${record?.id}"`)}&filter=${encodeURIComponent('method[eq]PATCH')}`,
    );
    expect(trail).toHaveLength(1);

    // A dry run refuses the same requests as a real one.
    const twice = await service.call('POST', `/v1/${path}?dry_run=true`, body);
    expect(twice.status).toBe(409);
  });

  it.each([
    [
      'customs',
      'custom',
      provider('/things').replace('steps.call', 'steps.call.length').replace('_dry', '_doubtful'),
      'line 9, column 29: .length is read as a field of that name',
    ],
    [
      'mappings',
      'mapping',
      mapping('root.id = this.id.length'),
      'line 5, column 23: .length is read as a field of that name',
    ],
  ])('of %s warns of what means something else, as a real one', async (path, field, data, note) => {
    const body = { name: `doubtful-${field}`, data };
    const dry = await service.call('POST', `/v1/${path}?dry_run=true`, body);
    expect([dry.status, dry.notes]).toEqual([200, [note]]);
    const made = await service.call('POST', `/v1/${path}`, body);
    expect([made.status, made.notes]).toEqual([200, [note]]);
    const record = (made.result as Record<string, { id: string }>)[field];
    const at = `/v1/${path}/${record?.id}`;
    const put = await service.call('PUT', at, record);
    expect([put.status, put.notes]).toEqual([200, [note]]);
    const change = [{ op: 'replace', path: '/data', value: data.replace('.length', '') }];
    expect((await service.call('PATCH', `${at}?dry_run=true`, change)).notes).toEqual([]);
    const rename = [{ op: 'replace', path: '/fullname', value: 'Doubtful' }];
    expect((await service.call('PATCH', at, rename)).notes).toEqual([note]);
    expect((await service.call('DELETE', at)).status).toBe(204);
  });

  it.each([
    [
      'customs',
      provider('/things/{this.pathh.id}').replace(
        'record: this.steps.call',
        'record: this.steps.cal',
      ),
    ],
    ['mappings', `${mapping('root.id = this..id')}  other: |\n    root = this.nope_method()\n`],
  ])('of %s answers every fault at once', async (path, data) => {
    const body = { name: 'wrong', data };
    const { status, faults } = await service.call('POST', `/v1/${path}?dry_run=true`, body);
    expect(status).toBe(400);
    expect(faults.length).toBeGreaterThan(1);
  });

  // "A4 `context.parameter.position {line, column}`"
  it('says line and column of each fault and of each note as numbers', async () => {
    const places = async (data: string) => {
      const answer = await fetch(`${service.url}/v1/mappings?dry_run=true`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.administrator.access}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'placed', data }),
      });
      const body = (await answer.json()) as Problem & { messages?: { problems: Problem[] } };
      const all = [body, ...(body.cause ?? []), ...(body.messages?.problems ?? [])];
      return all.flatMap(({ context }) => context?.parameter?.position ?? []);
    };
    const first = { line: 5, column: 20 };
    const wrong = `${mapping('root.id = this..id')}  other: |\n    root = this.nope_method()\n`;
    expect(await places(wrong)).toEqual([first, first, { line: 7, column: 30 }]);
    // A column is a character, whatever it takes in UTF-16.
    const emoji = mapping('root.id = "😀" + this..id');
    expect(await places(emoji)).toEqual([
      { line: 5, column: 26 },
      { line: 5, column: 26 },
    ]);
    const doubtful = mapping('root.id = this.id.length');
    expect(await places(doubtful)).toEqual([{ line: 5, column: 23 }]);
  });
});
