import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { conformance } from './conformance.js';
import { writeDesk } from './desk.fixture.js';
import { describeEvidence } from './evidence.js';
import { ProviderFolder } from './folders.js';

it('names what a provider is tested with, and says none of what is missing', () => {
  expect(describeEvidence(new ProviderFolder('github'))).toMatch(
    /^fixtures: \d+ cases; fake: fake\.yaml; exchanges of others: \d+ lists/,
  );
  expect(describeEvidence(new ProviderFolder('aws'))).toMatch(
    /^fixtures: none; fake: fake\.yaml; exchanges of others: \d+ lists/,
  );
  const path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
  const desk = writeDesk(pathToFileURL(`${path}/`));
  expect(describeEvidence(desk)).toBe('fixtures: none; fake: none; exchanges of others: none');
  rmSync(path, { recursive: true });
});

it('has no check of recordings where there are none, unless there must be', () => {
  const names = (name: string) => conformance(new ProviderFolder(name)).map((one) => one.name);
  expect(names('okta').filter((name) => name.includes('recorded'))).toEqual([]);
  expect(names('jira')[0]).toContain('every operation has a recorded success');
});
