import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const apps = fileURLToPath(new URL('../../../apps/', import.meta.url));
const maxLines = 15;

const processes = readdirSync(apps).filter((app) => existsSync(join(apps, app, 'src')));

it.each(processes)('the process %s is a list of modules and nothing else', (app) => {
  const lines = readFileSync(join(apps, app, 'src/main.ts'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(maxLines);
});
