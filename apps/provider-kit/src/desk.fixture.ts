import { mkdirSync, writeFileSync } from 'node:fs';
import { domainOperations, ProviderFolder } from './folders.js';

const listed = 'ticketing_list_projects';

/** Writes a folder of a provider that lists projects and is not recorded yet, with everything that `check` looks at. */
export function writeDesk(parent: URL, name = 'desk'): ProviderFolder {
  const folder = new ProviderFolder(name, parent);
  const others = domainOperations('ticketing_').filter(({ id }) => id !== listed);
  const files = {
    'provider.yaml': `provider: ticketing_${name}
version: 0.1.0
fullname: Desk
vendor: Desk
description: The projects of a desk.
availability: in-development
proof: none

configuration:
  properties:
    url: { type: string, format: uri, description: Where the API is. }
  required: [url]

credentials:
  credential:
    token: { send: header, name: authorization, value: '"Bearer " + this.credential.secret' }

http:
  base_url: this.config.url
  message: this.body.message

verify:
  - path: /projects
    needs: Read

mappings:
  project: mappings/project.yaml

unsupported:
${others.map(({ id }) => `  ${id}: it is not written yet\n`).join('')}
operations:
  ${listed}:
    needs: Read
    response: project
    steps:
      - name: projects
        path: /projects
    rows: this.steps.projects
`,
    'mappings/project.yaml': `# A project.
engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.id = this.id
    root.name = this.name
`,
    'README.md': `# Desk

| operation |       |
| --------- | ----- |
| \`${listed}\` | works |
${others.map(({ id }) => `| \`${id}\` | 501   |\n`).join('')}
**Proven** against nothing yet.
`,
    'fixtures/record.yaml': `calls:
  - { operation: ${listed} }
`,
  };
  for (const [file, text] of Object.entries(files)) {
    const url = new URL(file, folder.url);
    mkdirSync(new URL('.', url), { recursive: true });
    writeFileSync(url, text);
  }
  return folder;
}
