import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeDesk } from './desk.fixture.js';
import type { ProviderFolder } from './folders.js';

/** A new folder of a provider that lists projects, with a plan that records them. */
export interface RecordedFolder {
  folder: ProviderFolder;
  remove: () => void;
}

/**
 * @param credential how the document takes its credential, such as `token: { send: header, name: x-token }`
 * @param operation steps and rows of the list, as YAML
 */
export function recordedFolder(credential: string, operation: string): RecordedFolder {
  const path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
  const folder = writeDesk(pathToFileURL(`${path}/`));
  const file = new URL('provider.yaml', folder.url);
  const document = readFileSync(file, 'utf8')
    .replace(/ {4}token: \{.*\}/, `    ${credential}`)
    .replace(/verify:[\s\S]*?\n\n/, '')
    .replace(/ {4}steps:[\s\S]*$/, operation);
  writeFileSync(file, document);
  writeFileSync(
    new URL('fixtures/record.yaml', folder.url),
    `documented:
  '403': { status: 403 }
  '429': { status: 429, headers: { retry-after: '900' } }
calls:
  - { operation: ticketing_list_projects }
`,
  );
  return { folder, remove: () => rmSync(path, { recursive: true }) };
}
