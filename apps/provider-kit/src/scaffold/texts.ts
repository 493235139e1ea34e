import { stringify } from 'yaml';
import { mockType, type Translation } from '#provider-document';
import type { Example } from './examples.js';

const pageSize = 100;

/** The dataset ODD leaves nothing out of a new folder, whose author knows what the vendor always sends. */
const oddText = `    # What the vendor always sends. '*' is everything: name the fields that it requires, and the dataset ODD leaves out the others.
    odd: { always: ['*'] }
`;

/** The provider document: one operation that works, and what is not written yet. */
export function documentText(example: Example): string {
  const { name, id, title, operation, others, record, recordName, auth } = example;
  const mappings =
    record.mapping === undefined ? [] : [`${recordName}: mappings/${recordName}.yaml`];
  return `# yaml-language-server: $schema=../../provider-document/src/provider-document.schema.json
# What each key means: docs/providers/documents.md
provider: ${id}
version: 0.1.0
fullname: ${title}
vendor: ${title}
description: What ${title} has, as the owner of the credential may see it.
owner: Onefold
availability: in-development
proof:
  - by: simulator
    what: a fake of ours, written from the vendor's documentation

configuration:
  properties:
    url:
      type: string
      format: uri
      description: ${urlText(name).en}
  required: [url]

credentials:
  credential:
${indent(auth.sends, 4)}
http:
  base_url: this.config.url
  # The vendor's own words in an answer that is an error.
  message: this.body.error.message

verify:
  - path: /${record.things}
    query: root.limit = 1
    needs: Read
${section('mappings', mappings)}${section(
    'unsupported',
    others.map((one) => `${one.id}: it is not written yet`),
    '# Why the API of the vendor cannot serve an operation; a 501 says it.\n',
  )}
operations:
  ${operation.id}:
${indent(record.operation ?? listText(example), 4)}`;
}

/** A list in pages. */
function listText({ recordName, record }: Example): string {
  const { things, extra, mapping } = record;
  return `needs: Read
${mapping === undefined ? '' : `response: ${recordName}\n`}${extra === undefined ? '' : `${extra}\n`}page:
  kind: offset
  size: ${pageSize}
  count: this.body.${things}.length()
  total: this.body.total
steps:
  - name: ${things}
    path: /${things}
    query: |
      root.offset = this.page.offset
      root.limit = this.page.limit
${record.folder === true ? '      root.folder = this.path.path\n' : ''}rows: this.steps.${things}.${things}
`;
}

/** The mapping from the vendor's record to ours. @returns undefined where records are returned as they are */
/** The only text for customers of the document, in each language of the Connect UI. */
function urlText(name: string): Translation {
  const url = `https://api.${name}.example`;
  return {
    en: `Where the API is, such as ${url}.`,
    de: `Die Adresse der API, zum Beispiel ${url}.`,
    es: `La dirección de la API, por ejemplo ${url}.`,
    fr: `L’adresse de l’API, par exemple ${url}.`,
    ja: `API のアドレス（例：${url}）。`,
  };
}

/** Translations of what customers read in the document. */
export function translationsText({ name }: Example): string {
  return `# The texts that customers read when they connect the provider, in the languages of the Connect UI: setup steps and fields, as the document has them.
${stringify([urlText(name)], { lineWidth: 0 })}`;
}

export function mappingText({ title, operation, record }: Example): string | undefined {
  if (record.mapping === undefined) return undefined;
  return `# A record of ${title}, as ${operation.id} returns it.
engine: bloblang_direct
version: '1.0'
templates:
  default: |
${indent(record.mapping.replaceAll('TITLE', title), 4)}`;
}

/** The fake: a list in pages, and what else the operation calls. */
export function fakeText({ name, title, record, auth }: Example): string {
  const { things, from, row, routes = '' } = record;
  const folder = record.folder === true;
  return `# How the API of ${title} behaves: docs/fakes.md explains it.
fake: ${name}
about: The API of ${title}, as its documentation describes it.
mock: { configuration: { url: 'https://api.${name}.example' } }

auth:
  principals:
    admin: ['*']
    reader: ['*:read']
  accepts:
${indent(auth.accepts, 4)}
limits:
  default: { requests: 600, seconds: 60 }

errors:
  body: 'root.error = {"code": this.error.name, "message": this.error.message}'
  unauthenticated: { status: 401, message: the credential is missing or not valid }
  expired_token: { status: 401, message: the credential has expired }
${indent(auth.errors ?? '', 2)}  forbidden: { status: 403, message: 'the credential has no scope {this.error.detail}' }
  no_route: { status: 404, message: 'there is nothing at {this.error.detail}' }
  no_method: { status: 405, message: 'use {this.error.detail}' }
  bad_body: { status: 400, message: '{this.error.detail}' }
  bad_parameter: { status: 400, message: '{this.error.detail}' }
  conflict: { status: 409, message: '{this.error.detail} exists already' }
  limited:
    status: 429
    message: too many requests
    headers: { Retry-After: this.limit.wait }
  failure: { status: 500, message: internal error }

collections:
  ${things}:
${from === undefined || row === undefined ? '    id: this.id\n' : `    from: ${from}\n    id: this.id\n    row: |\n${indent(row, 6)}${oddText}`}
routes:
  GET /${things}:
    access: ${things}:read
    limit: default
    parameters:
      limit: { type: integer, default: ${pageSize}, minimum: 1, maximum: ${pageSize} }
      offset: { type: integer, default: 0, minimum: 0 }
${folder ? "      folder: { default: '' }\n" : ''}    list:
      from: ${things}
${folder ? '      where: this.query.folder == "" || this.row.path.has_prefix(this.query.folder.trim("/") + "/")\n' : ''}      page: { kind: offset, at: this.query.offset, size: this.query.limit, maximum: ${pageSize} }
    body: |
      root.${things} = this.rows
      root.total = this.page.total
${indent(routes, 2)}`;
}

/** The values that people act on, with ours. @returns undefined where records have none */
export function valuesText({ title, recordName, record: { values } }: Example): string | undefined {
  if (values === undefined) return undefined;
  return `# Values that people act on, as our mappings convert them: those of ${title} → ours, by pointers in both records. \`unheard of\` is a value that
# the vendor may add tomorrow. \`check\` runs each line, and names the values that a mapping knows and no line has.
${recordName}:
${indent(values, 2)}`;
}

/** The steps of the vendor's mock: the operation, with valid input. */
export function stepsText({ id, operation, record, name }: Example): string {
  const { multiSegment, id: called } = operation;
  const path = called.startsWith('custom_')
    ? `    path: { operation: ${called} }\n`
    : multiSegment === null
      ? ''
      : `    path: { ${multiSegment}: tickets }\n`;
  const step = record.step ?? 'all_pages: { limit: 2, more_than: 2 }\n';
  return `# Steps of the mock of ${name}: every operation that it serves, with valid input, and what the made-up company has there.
${mockType(id)}:
  - call: ${called}
${path}${indent(step, 4)}`;
}

export function readmeText({ title, id, auth }: Example): string {
  return `# ${title}

\`${id}\`: what it is and what it is good for, in a paragraph: which rights the credential needs, what its words mean in ours, and what it
cannot do. The credential is ${auth.about}. Its document is [\`provider.yaml\`](provider.yaml), its fake [\`fake.yaml\`](fake.yaml).

**Proven** against its fake.
`;
}

function section(name: string, lines: readonly string[], comment = ''): string {
  if (lines.length === 0) return '';
  return `\n${comment}${name}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
