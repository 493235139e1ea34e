import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { servedDomains } from '#contract';
import { startService } from '../api/service.js';

const cwd = fileURLToPath(new URL('../../../', import.meta.url));

it('has a request for each domain', () => {
  const print = `import { requests } from './deploy/smoke.mjs';
    console.log(JSON.stringify(Object.keys(requests)))`;
  const args = ['--input-type=module', '--eval', print];
  const printed = execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect((JSON.parse(printed) as string[]).sort()).toEqual([...servedDomains].sort());
});

it('finds nothing wrong with a service that serves every domain', async () => {
  const service = await startService();
  try {
    const args = ['deploy/smoke.mjs', service.administrator.access];
    const env = { ...process.env, ONEFOLD_URL: service.url };
    const ended = promisify(execFile)(process.execPath, args, { cwd, env });
    // It ends with 1 when something is wrong, and has said what.
    const { stdout } = await ended.catch((error: { stdout: string }) => error);
    expect(stdout.match(/^WRONG.*/gm)).toBeNull();
    expect(stdout.match(/^ok /gm)).toHaveLength(servedDomains.length);
  } finally {
    await service.stop();
  }
}, 60_000);
