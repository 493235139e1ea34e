import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { applyPatch } from '#patch';
import { compileProvider } from '#provider-document';
import { documentProvider } from '../document/document-provider.js';
import { run } from '../connector.fixture.js';
import type { OperationResult } from '../map-response.js';
import type { ProviderRecord } from '../provider-record.js';

/** A document whose create has no mapping of requests, but a step with this body. */
const plain = (body: string) =>
  document('root = this')
    .replace('    request: out\n', '')
    .replace('path: /tickets }', `path: /tickets, body: '${body}' }`);

const document = (template: string) => `
provider: custom_writes
version: 1.0.0
fullname: Writes
vendor: Tests
http: { base_url: '"http://127.0.0.1"' }
mappings:
  out:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
${template.replace(/^/gm, '        ')}
operations:
  ticketing_create_ticket:
    request: out
    required_fields: [issue_type]
    steps: [{ method: POST, path: /tickets }]
    record: this.steps.call
`;

const reads = 'root.title = this.name\nroot.text = this.description\nroot.kind = this.issue_type';
const ticket = { name: 'a', issue_type: 'bug' };

/** A ticket with a time, people and fields of its own. */
const whole = {
  ...ticket,
  due_date: '2026-12-01T10:00:00Z',
  assignee: 'ada',
  tags: ['a', 'b'],
  custom_fields: { color: 'red' },
};

interface WriteOptions {
  /** The text of the document; one with the template when absent. */
  text?: string;
  /** The record before a patch. */
  current?: object;
  /** The record that the provider has in the end; what it was sent when absent. */
  kept?: object;
  responseFields?: string[];
}

/** Creates or patches a ticket of a provider whose document has this template for requests. */
async function write(
  body: unknown,
  template = reads,
  id: OperationId = 'ticketing_create_ticket',
  options: WriteOptions = {},
): Promise<OperationResult & { sent: unknown }> {
  const {
    text = document(template),
    current = { ...ticket, parent: 'P-1' },
    kept,
    ...rest
  } = options;
  const provider = documentProvider(compileProvider(text));
  const {
    request,
    leavesUnread = () => false,
    unwritten = [],
    requiredFields = [],
    readsField,
  } = provider.operations.ticketing_create_ticket ?? {};
  let sent: unknown;
  const { result } = await run(
    id,
    {
      action: id === 'ticketing_create_ticket' ? 'create' : 'patch',
      unwritten,
      leavesUnread,
      requiredFields,
      ...rest,
      current: () => Promise.resolve({ ...current }),
      ...(request === undefined ? {} : { request }),
      ...(readsField === undefined ? {} : { readsField }),
      run: (_call, mapped) => {
        sent = mapped.body ?? mapped.change?.after;
        const all = Array.isArray(body) ? applyPatch(current, body) : body;
        return Promise.resolve({ record: (kept ?? all) as ProviderRecord });
      },
    },
    { body },
  );
  return { ...(result as OperationResult), sent };
}

beforeAll(() => loadValidators());

// "What is written is not lost silently: fields that a document cannot write are named in `messages` (create) or refused (patch)."
describe('a field that the mapping does not write', () => {
  it('is named in the messages of a create', async () => {
    const { messages, sent } = await write({ ...ticket, parent: 'P-1', due_date: null });
    expect(sent).toEqual({ title: 'a', text: null, kind: 'bug' });
    expect(messages).toMatchObject({
      problems: [{ instance: 'field-not-written', context: { parameter: { id: '/parent' } } }],
    });
    expect((await write({ ...ticket, description: 'd' })).messages).toBeUndefined();
  });

  it('is not guessed where the mapping looks at the body as a whole', async () => {
    const { messages } = await write({ ...ticket, parent: 'P-1' }, 'root = this.without("id")');
    expect(messages).toBeUndefined();
  });

  it('is refused in a patch, at its element', async () => {
    const patch = (path: string, value: unknown) =>
      write(
        [
          { op: 'replace', path: '/name', value: 'b' },
          { op: 'add', path, value },
        ],
        reads,
        'ticketing_patch_ticket',
      );
    await expect(patch('/parent', 'P-2')).rejects.toMatchObject({
      status: 400,
      options: {
        faults: [
          { pointer: '/1/path', message: 'changes parent, which the provider cannot write' },
        ],
      },
    });
    expect((await patch('/parent', 'P-1')).sent).toMatchObject({ title: 'b' });
    expect((await patch('/description', 'd')).sent).toMatchObject({ text: 'd' });
  });
});

describe('a patch of a field that the contract does not have', () => {
  const patch = (path: string, value: unknown, template = reads) =>
    write([{ op: 'add', path, value }], template, 'ticketing_patch_ticket');

  it.each(['/nmae', '/unmapped', '/attachments/0/kind', '/parent~1id'])(
    'is refused by its name: %s',
    async (path) => {
      const value = path === '/unmapped' ? { x: 1 } : 'x';
      await expect(patch(path, value)).rejects.toMatchObject({
        status: 400,
        options: { faults: [{ pointer: '/0/path', value: path }] },
      });
    },
  );

  it('is refused within a value, too', async () => {
    await expect(patch('/attachments', [{ id: '1', kind: 'x' }])).rejects.toMatchObject({
      options: { faults: [{ pointer: '/0/value' }] },
    });
  });

  it('is applied if the mapping of the request reads it', async () => {
    const template = `${reads}\nroot.sev = this.severity\nroot.more = this.unmapped.x`;
    expect((await patch('/severity', 2, template)).sent).toMatchObject({ sev: 2 });
    expect((await patch('/unmapped', { x: 1 }, template)).sent).toMatchObject({ more: 1 });
  });

  it('is applied where the contract allows any field', async () => {
    const template = `${reads}\nroot.mine = this.custom_fields.mine`;
    expect((await patch('/custom_fields', { mine: 1 }, template)).sent).toMatchObject({ mine: 1 });
  });
});

interface Messages {
  problems: { message: string; context: { parameter: { id: string } } }[];
}

const lossesOf = ({ messages }: OperationResult) =>
  ((messages as Messages | undefined)?.problems ?? []).map(({ message, context }) => [
    context.parameter.id,
    message,
  ]);

// "A create or patch names in `messages` every sent field, at any depth, […] whose value differs in the record read back."
describe('a value that the provider does not have in the end', () => {
  const all = 'root = this';

  it('is named in a create, at any depth', async () => {
    const kept = {
      id: '1',
      name: 'a',
      issue_type: 'bug',
      tags: ['b', 'a', 'b'],
      due_date: '2026-12-01T12:00:00Z',
      custom_fields: { color: 'blue' },
    };
    expect(lossesOf(await write(whole, all, undefined, { kept }))).toEqual([
      [
        '/due_date',
        'due_date was sent as 2026-12-01T10:00:00Z, the provider has 2026-12-01T12:00:00Z',
      ],
      ['/assignee', 'assignee was sent as ada, the provider has no value for it'],
      ['/custom_fields/color', 'custom_fields.color was sent as red, the provider has blue'],
    ]);
  });

  it('is not another form of the same', async () => {
    const kept = {
      ...whole,
      id: 1,
      name: ' a\n',
      due_date: '2026-12-01T12:00:00.000+02:00',
      custom_fields: { color: 'red', size: 3 },
    };
    expect(lossesOf(await write(whole, all, undefined, { kept }))).toEqual([]);
  });

  it('is unknown where no response has the field', async () => {
    const responseFields = ['id', 'name', 'issue_type', 'tags', 'due_date', 'custom_fields.color'];
    const kept = { ...whole, assignee: undefined };
    expect(lossesOf(await write(whole, all, undefined, { kept, responseFields }))).toEqual([]);
  });

  it('is named in a patch, if the patch is about it', async () => {
    const patch = async (op: object, kept: object) =>
      lossesOf(await write([op], all, 'ticketing_patch_ticket', { current: whole, kept }));
    const replace = { op: 'replace', path: '/name', value: 'b' };
    expect(await patch(replace, whole)).toEqual([
      ['/name', 'name was sent as b, the provider has a'],
    ]);
    expect(await patch(replace, { ...whole, name: 'b', assignee: 'eve' })).toEqual([]);
    const remove = { op: 'remove', path: '/assignee' };
    expect(await patch(remove, whole)).toEqual([
      ['/assignee', 'assignee was removed, the provider still has ada'],
    ]);
    expect(await patch(remove, { ...whole, assignee: null })).toEqual([]);
    expect(await patch({ op: 'add', path: '/custom_fields/size', value: 3 }, whole)).toEqual([
      ['/custom_fields/size', 'custom_fields.size was sent as 3, the provider has no value for it'],
    ]);
  });
});

// "[…] that the request mapping did not read […]; an operation without a `request` mapping does so too."
describe('a field that is certainly not read', () => {
  it('is named at any depth, in a create and a patch', async () => {
    const template = 'root.title = this.name\nroot.color = this.custom_fields.color';
    const custom_fields = { color: 'red', size: 3 };
    const made = await write({ ...ticket, custom_fields }, template);
    expect(lossesOf(made).map(([pointer]) => pointer)).toEqual([
      '/issue_type',
      '/custom_fields/size',
    ]);
    const add = [{ op: 'add', path: '/custom_fields/size', value: 3 }];
    const patched = await write(add, template, 'ticketing_patch_ticket', { current: whole });
    expect(lossesOf(patched)).toEqual([
      [
        '/custom_fields/size',
        'custom_fields.size was not written: the mapping to the provider does not read it',
      ],
    ]);
  });

  it.each([
    ['root.t = this.body.name', ['assignee', 'custom_fields', 'due_date', 'issue_type', 'tags']],
    ['root = this.body', []],
    ['root = this.body.without("id")', []],
    [
      'root.c = this.body.custom_fields.color',
      ['assignee', 'due_date', 'issue_type', 'name', 'tags'],
    ],
  ])('is named without a mapping of requests too: %s', async (body, expected) => {
    const result = await write(whole, '', undefined, { text: plain(body) });
    const fields = lossesOf(result).map(([pointer = '']) => pointer.slice(1));
    expect(fields.sort()).toEqual(expected);
  });
});

describe('a mapping of requests', () => {
  it('reads the record before a patch at @before, and null there in a create', async () => {
    const template =
      'root.title = if this.summary == @before.summary { this.name } else { this.summary | this.name }';
    const current = { name: 'a', summary: 'a', issue_type: 'bug' };
    const patch = async (field: string) => {
      const body = [{ op: 'replace', path: `/${field}`, value: 'b' }];
      return (await write(body, template, 'ticketing_patch_ticket', { current })).sent;
    };
    expect([await patch('name'), await patch('summary')]).toEqual([{ title: 'b' }, { title: 'b' }]);
    expect((await write(ticket, template)).sent).toEqual({ title: 'a' });
    expect((await write({ ...ticket, summary: 'c' }, template)).sent).toEqual({ title: 'c' });
  });
});

// "`required_fields` is enforced with 400."
describe('a field that the provider needs', () => {
  it.each([[{ name: 'a' }], [{ name: 'a', issue_type: null }], [{ name: 'a', issue_type: '' }]])(
    'is a 400 when it is missing: %j',
    async (body) => {
      await expect(write(body)).rejects.toMatchObject({
        status: 400,
        options: { faults: [{ pointer: '/issue_type', message: 'is required by the provider' }] },
      });
    },
  );

  it('cannot be removed by a patch', async () => {
    const patch = write([{ op: 'remove', path: '/issue_type' }], reads, 'ticketing_patch_ticket');
    await expect(patch).rejects.toMatchObject({
      status: 400,
      options: { faults: [{ pointer: '/0/path' }] },
    });
  });
});

// "`throw` in a request mapping is the caller's 400, not the provider's 502."
describe('a mapping of requests', () => {
  it('refuses what it throws for, in its own words', async () => {
    const template = `root.kind = match this.issue_type {
  "bug" => 1
  _ => throw("issue_type must be bug")
}`;
    expect((await write(ticket, template)).sent).toEqual({ kind: 1 });
    await expect(write({ ...ticket, issue_type: 'x' }, template)).rejects.toMatchObject({
      status: 400,
      options: { faults: [{ location: 'body', message: 'issue_type must be bug' }] },
    });
  });

  it('that fails in another way is a 502', async () => {
    await expect(write(ticket, 'root.n = this.name.number()')).rejects.toMatchObject({
      status: 502,
    });
  });
});
