import { describe, expect, it } from '@jest/globals';
import { compileProviders, openProviders } from './compile-provider.js';
import { describeProvider } from './describe-provider.js';
import { faultOf } from './fault-of.fixture.js';

const sound = `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
http: { base_url: '"https://acme.example"' }
include: [operations/comments.yaml]
mappings:
  ticket: mappings/ticket.yaml
  comment: mappings/comment.yaml
operations:
  ticketing_get_ticket:
    response: ticket
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;
const comments = `operations:
  ticketing_list_comments:
    response: comment
    steps: [{ path: /comments }]
    rows: this.steps.call
`;
const mapping = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.id = this.id
`;

/** Opens a document over files, and notes which are read. */
function open(files: Record<string, string>) {
  const read: string[] = [];
  const [provider] = openProviders(
    sound,
    (name) => {
      read.push(name);
      return files[name] ?? '';
    },
    {},
  );
  return { provider, read };
}

describe('an opened document', () => {
  const mappings = { 'mappings/ticket.yaml': mapping, 'mappings/comment.yaml': mapping };

  it('compiles the operation that is used, and its mapping, once', () => {
    const { provider, read } = open({ 'operations/comments.yaml': comments, ...mappings });
    expect([...provider.operations.keys()]).toEqual([
      'ticketing_get_ticket',
      'ticketing_list_comments',
    ]);
    expect(read).toEqual(['operations/comments.yaml']);
    const described = describeProvider(provider);
    expect(Object.keys(described.operations)).toHaveLength(2);
    expect(described.operations.ticketing_get_ticket?.responseFields).toEqual(['id']);
    expect(described.operations.ticketing_get_ticket).toBe(
      described.operations.ticketing_get_ticket,
    );
    expect(provider.operations.get('ticketing_get_ticket')).toBe(
      provider.reads.get('ticketing_get_ticket'),
    );
    expect(read).toEqual(['operations/comments.yaml', 'mappings/ticket.yaml']);
  });

  it('is what all of it at once is', () => {
    const files: Record<string, string> = { 'operations/comments.yaml': comments, ...mappings };
    const [whole] = compileProviders(sound, (name) => files[name] ?? '');
    const { provider } = open(files);
    expect([...provider.operations.keys()]).toEqual([...whole.operations.keys()]);
    expect([...provider.reads.values()].map(({ place, source }) => ({ place, source }))).toEqual(
      [...whole.reads.values()].map(({ place, source }) => ({ place, source })),
    );
    expect([...provider.mappings.keys()]).toEqual(['ticket', 'comment']);
    expect(provider.mappings.size).toBe(2);
  });

  it('reports a fault of an operation when it is used, each time, and none of others', () => {
    const wrong = comments.replace('this.steps.call', 'this.steps.cal');
    const { provider } = open({ 'operations/comments.yaml': wrong, ...mappings });
    expect(provider.operations.get('ticketing_get_ticket')?.resource).toBe('tickets');
    for (let count = 0; count < 2; count += 1)
      expect(faultOf(() => provider.operations.get('ticketing_list_comments'))).toMatch(
        /operations\/comments.yaml.*5.*this\.steps\.cal does not exist/s,
      );
  });

  it('reports a fault of a mapping file when it is used', () => {
    const { provider } = open({
      'operations/comments.yaml': comments,
      ...mappings,
      'mappings/comment.yaml': mapping.replace('this.id', 'this.id('),
    });
    expect(provider.operations.get('ticketing_get_ticket')?.response?.fields()).toEqual(['id']);
    expect(faultOf(() => provider.operations.get('ticketing_list_comments'))).not.toBe('none');
  });
});
