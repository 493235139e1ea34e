import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { compileProvider } from '#provider-document';
import { documentProvider } from './document/document-provider.js';
import { run } from './connector.fixture.js';
import type { OperationResult } from './map-response.js';

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

/** Creates or patches a ticket of a provider whose document has this template for requests. */
async function write(
  body: unknown,
  template = reads,
  id: OperationId = 'ticketing_create_ticket',
): Promise<OperationResult & { sent: unknown }> {
  const provider = documentProvider(compileProvider(document(template)));
  const {
    request,
    unwritten = [],
    requiredFields = [],
    readsField,
  } = provider.operations.ticketing_create_ticket ?? {};
  let sent: unknown;
  const { result } = await run(
    id,
    {
      action: id === 'ticketing_create_ticket' ? 'create' : 'patch',
      ...{
        unwritten,
        requiredFields,
        current: () => Promise.resolve({ ...ticket, parent: 'P-1' }),
      },
      ...(request === undefined ? {} : { request }),
      ...(readsField === undefined ? {} : { readsField }),
      run: (_call, mapped) => {
        sent = mapped.body ?? mapped.change?.after;
        return Promise.resolve({ record: ticket });
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
