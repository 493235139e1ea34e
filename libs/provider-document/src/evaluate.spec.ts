import { describe, expect, it } from '@jest/globals';
import { compileProvider } from './compile-provider.js';
import { evaluate, evaluateTemplate } from './evaluate.js';

const mapping = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.id = this.id
    root.name = this.title.uppercase()
`;

const indented = mapping.replaceAll(/^/gm, '    ').trimEnd();

const operations = `operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - path: /tickets/{this.path.ticketId.lowercase()}
        query: |
          root.a = 1
          root.b = {"c": this.query.limit + 1}
    record: 'this.steps.call.rows.map_each(row ->
      row)'
`;

function head(ticket: string): string {
  return `provider: ticketing_acme
version: 1.0.0
fullname: Acme
vendor: Acme
configuration: { properties: { url: { type: string } }, required: [url] }
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http: { base_url: this.config.url }
mappings:
  ticket: ${ticket}
`;
}

/** A built-in document, whose operation is in a file of its own. */
function builtIn() {
  const files: Record<string, string> = {
    'operations/tickets.yaml': operations,
    'mappings/ticket.yaml': mapping,
  };
  const text = `${head('mappings/ticket.yaml')}include: [operations/tickets.yaml]\noperations:\n  ticketing_list_projects: { steps: [{ path: /projects }], rows: this.steps.call }\n`;
  return compileProvider(text, (name) => files[name] ?? '');
}

const custom = () => compileProvider(`${head(`\n${indented}`)}${operations}`);

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'it did not fail';
}

function operationOf(provider: ReturnType<typeof builtIn>) {
  const operation = provider.operations.get('ticketing_get_ticket');
  const [step] = operation?.steps ?? [];
  if (operation === undefined || step === undefined) throw new Error('there is no operation');
  return { operation, step };
}

describe('a failure of an expression of a provider document', () => {
  it('names the file, the line and column, the field and the expression', () => {
    const { step } = operationOf(builtIn());
    const template = step.query;
    if (template === undefined) throw new Error('there is no query');
    const run = () =>
      evaluateTemplate(template, { query: { limit: null } }, 'steps.0.query', undefined);
    expect(failureOf(run)).toBe(
      'the provider document failed at steps.0.query: operations/tickets.yaml:8:26, root.b.c: cannot add types null and number (this.query.limit + 1). Another value for null is written .or(0).',
    );
  });

  it('names the place of a query in braces within its text', () => {
    const { step } = operationOf(builtIn());
    const write = () =>
      step.path?.((query) => evaluate(query, { path: { ticketId: 5 } }, 'steps.0.path', undefined));
    expect(failureOf(write)).toBe(
      'the provider document failed at steps.0.path: operations/tickets.yaml:5:25: expected string, got number 5 (this.path.ticketId)',
    );
  });

  it('is of the provider where the document is a customer’s, and has no files', () => {
    const { operation } = operationOf(custom());
    const query = operation.record?.query;
    if (query === undefined) throw new Error('there is no record');
    const run = (limits?: { fuel: number }) =>
      evaluate(
        query,
        { steps: { call: { rows: Array.from({ length: 50 }, () => 1) } } },
        'record',
        limits as never,
      );
    expect(failureOf(() => run({ fuel: 20 }))).toBe(
      'the provider document failed at record: ticketing_acme:26:14: the template takes more than 20 steps',
    );
  });
});

describe('a failure of a mapping of a provider document', () => {
  const record = { id: 1, title: 5 };

  it('names the file of the mapping', () => {
    const { operation } = operationOf(builtIn());
    expect(failureOf(() => operation.response?.run(record))).toBe(
      'mappings/ticket.yaml:6:17 in template default, root.name: expected string, got number 5 (this.title)',
    );
  });

  it('names the document, with its lines, where the mapping is written in it', () => {
    const { operation } = operationOf(custom());
    expect(failureOf(() => operation.response?.run(record))).toBe(
      'ticketing_acme:17:21 in template default, root.name: expected string, got number 5 (this.title)',
    );
  });
});
