import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, operations as allOperations } from '#contract';
import { ExampleService } from './example-service.js';
import {
  domainOperations,
  isCheckout,
  kitCommand,
  ProviderFolder,
  providersFolder,
} from './folders.js';
import type { Live } from './plan.js';
import { record } from './record.js';
import { faultsOfResponse } from './validate-response.js';

/** The folder cannot be scaffolded, for the reason in the message. */
export class ScaffoldRefused extends Error {}

/**
 * Writes a folder that passes `check` and `test`: a document of one operation, examples of its fixtures, and the other
 * files to complete.
 * @returns the paths of the files, for messages
 */
export async function scaffold(
  name: string,
  domain: string,
  parent: URL = providersFolder,
): Promise<string[]> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ScaffoldRefused(
      `"${name}" is not a valid folder name: use lower-case letters, digits and -`,
    );
  const folder = new ProviderFolder(name, parent);
  if (folder.has('.')) throw new ScaffoldRefused(`${folder.shown('')} exists already`);
  const operations = domainOperations(`${domain}_`);
  const first = firstOperation(operations);
  if (first === undefined)
    throw new ScaffoldRefused(
      `the domain "${domain}" does not exist or has no list operation; use one of ${domains().join(', ')}`,
    );
  const plan = { name, id: `${domain}_${name.replaceAll('-', '_')}`, first, operations };
  const files: Record<string, string> = {
    'provider.yaml': document(plan),
    [`mappings/${resourceOf(first)}.yaml`]: mapping(plan),
    ...(isCheckout ? { 'README.md': readme(plan), 'walk.yaml': walk(plan) } : {}),
    'fixtures/record.yaml': recording(plan),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = fileURLToPath(new URL(file, folder.url));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
  await recordExamples(folder, plan);
  const fixtures = folder.list('fixtures').map((file) => `fixtures/${file}`);
  return [...new Set([...Object.keys(files), ...fixtures])].map((file) => folder.shown(file));
}

/** Records the service that the document describes. */
async function recordExamples(folder: ProviderFolder, { id, first }: Plan): Promise<void> {
  const service = await ExampleService.start(`/${thingsOf(first)}`);
  const live: Live = {
    configuration: {
      type: id,
      url: service.url,
      credential: { type: 'token', secret: service.secret },
    },
    forbidden: { secret: service.weakSecret },
    fail: (status) => service.failNext(status),
    isExample: true,
  };
  try {
    const only = acceptsExample(first) ? 'all' : 'verify';
    const problems = await record(folder, live, () => undefined, only);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  } finally {
    await service.stop();
  }
}

/** Records of some domains need more than an id and a name, so no example is valid for every provider. */
function acceptsExample(operation: Operation): boolean {
  const body = { result: [{ id: '1', name: 'Example 1' }], cursor: '' };
  return faultsOfResponse(operation, operation.response.status, body).length === 0;
}

/** Domains that a folder can be scaffolded for. */
export function domains(): string[] {
  const groups = [...allOperations.values()]
    .filter(({ side }) => side === 'connector')
    .map(({ group }) => group);
  return [...new Set(groups)].filter((group) => firstOperation(domainOperations(`${group}_`)));
}

interface Plan {
  name: string;
  id: string;
  first: Operation;
  operations: readonly Operation[];
}

/** Chooses the simplest operation: a list that needs at most a folder, of projects if possible. */
function firstOperation(operations: readonly Operation[]): Operation | undefined {
  const lists = operations.filter(
    ({ method, path, id, multiSegment }) =>
      method === 'GET' &&
      (!path.includes('{') || multiSegment !== null) &&
      /^[a-z]+_(list|query)_/.test(id),
  );
  return lists.find(({ id }) => id.endsWith('_projects')) ?? lists[0];
}

function resourceOf({ id }: Operation): string {
  return id.split('_').slice(2).join('-').replace(/s$/, '');
}

function thingsOf({ id }: Operation): string {
  return id.split('_').slice(2).join('_');
}

function titleOf(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) =>
    `${dash && ' '}${letter}`.toUpperCase(),
  );
}

function document({ name, id, first, operations }: Plan): string {
  const title = titleOf(name);
  const mappingName = resourceOf(first);
  const things = thingsOf(first);
  const others = operations.filter((one) => one !== first);
  return `# yaml-language-server: $schema=../../provider-document/src/provider-document.schema.json
# What each key means: docs/providers/documents.md
provider: ${id}
version: 0.1.0
fullname: ${title}
vendor: ${title}
description: What ${title} has, as the owner of the token may see it.
owner: Onefold
availability: in-development
proof: none

configuration:
  properties:
    url:
      type: string
      format: uri
      description: Where the API is, such as https://api.${name}.example.
  required: [url]

credentials:
  credential:
    token: { send: header, name: authorization, value: '"Bearer " + this.credential.secret' }

http:
  base_url: this.config.url
  # The vendor's own words in an answer that is an error.
  message: this.body.message

verify:
  - path: /${things}
    needs: Read

mappings:
  ${mappingName}: mappings/${mappingName}.yaml

# Why the API of the vendor cannot serve an operation; a 501 says it.
unsupported:
${others.map((one) => `  ${one.id}: it is not written yet`).join('\n')}

operations:
  ${first.id}:
    needs: Read
    response: ${mappingName}
    steps:
      - name: ${things}
        path: /${things}
    rows: this.steps.${things}
`;
}

function mapping({ name, first }: Plan): string {
  return `# A record of ${titleOf(name)}, as ${first.id} gives it.
engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.id = this.id
    root.name = this.name
`;
}

function readme({ name, id, first, operations }: Plan): string {
  const title = titleOf(name);
  const rows = operations.map((one) => [`\`${one.id}\``, one === first ? 'works' : '501']);
  const configuration = [
    ['`credential`', 'a `token`'],
    ['`url`', 'where the API is'],
  ];
  return `# ${title}

\`${id}\`: what it is, in a sentence. Its document is [\`provider.yaml\`](provider.yaml); there is no code.

${table('configuration', configuration)}

What our words mean at ${title}: a **project**, a **status**, people, priorities.

${table('operation', rows)}

**Proven** against nothing yet.
`;
}

/** Formats a table as prettier does. */
function table(head: string, rows: readonly (readonly string[])[]): string {
  const all = [[head, ''], ...rows];
  const widths = [0, 1].map((column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = [], ...rest] = all;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(first), rule, ...rest.map(line)].join('\n');
}

function walk({ name, id, first, operations }: Plan): string {
  const others = operations.filter((one) => one !== first).map((one) => `    - ${one.id}`);
  return `# What the walk over all systems (test/e2e) has to know of this one, as soon as there is a test/simulators/${name}; \`url\` is the simulator's.
configuration:
  type: ${id}
  credential: { type: token, secret: agent-token }
closed: Done
nobody: '999999'
without:
  it is not written yet:
${others.join('\n')}
`;
}

function recording({ first }: Plan): string {
  return `# What \`${kitCommand} record\` calls, in this order; CONTRIBUTING.md has the keys.
calls:
  - { operation: ${first.id}${first.multiSegment === null ? '' : `, path: { ${first.multiSegment}: a }`} }
`;
}
