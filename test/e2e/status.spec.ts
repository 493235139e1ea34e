import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { version } from '#config';
import { eventually, freePort } from '#test/harness';
import type { Status } from '../../apps/admin/src/status/status.js';
import {
  natsUser,
  newFolder,
  type Onefold,
  startDistributed,
  startOnTestDatabase,
} from './onefold.js';
import { ended, type Running, startApp } from './processes.js';
import { createMockIntegration } from './records.js';

// `admin status`: the whole installation, as an operator sees it who is woken up.

let onefold: Onefold;
let env: Record<string, string>;
beforeAll(async () => {
  onefold = await startDistributed({}, { asUsers: true });
  env = { ...onefold.env, ...natsUser('admin') };
});
afterAll(async () => {
  for (const { child } of Object.values(onefold.processes)) child.kill('SIGCONT');
  await onefold.stop();
});

async function status(more: Record<string, string> = {}, ...args: string[]) {
  const command = startApp('admin', ['status', '--json', ...args], { ...env, ...more });
  const { code, text } = await ended(command);
  if (!text.startsWith('{')) throw new Error(text);
  return { code, found: JSON.parse(text) as Status };
}

function processOf(name: string): Running {
  const running = onefold.processes[name];
  if (running === undefined) throw new Error(`there is no ${name}`);
  return running;
}

/** The name of a process on the bus, from its own log. */
async function nameOf(running: Running): Promise<string> {
  const [, name = ''] = await running.says(/"process":"([0-9a-f]+)"/);
  return name;
}

describe('of an installation that is well', () => {
  it('names every process as its log does, with what it is, and ends with 0', async () => {
    await eventually(async () => {
      const { code, found } = await status();
      expect(found.problems).toEqual([]);
      expect(code).toBe(0);
      const kinds = ['connector', 'gateway', 'management', 'operations'];
      expect(found.processes?.map(({ kind }) => kind).sort()).toEqual(kinds);
      for (const one of found.processes ?? []) {
        expect(one.process).toBe(await nameOf(processOf(one.kind ?? '')));
        expect(one).toMatchObject({ version, ready: true });
        expect(Math.abs(one.clockMs ?? Infinity)).toBeLessThan(5_000);
        expect(Date.parse(one.startedAt ?? '')).toBeLessThan(Date.now());
      }
      expect(new Set(found.processes?.map(({ key }) => key)).size).toBe(1);
      expect(found.nats?.version).toMatch(/^2\.\d+/);
      expect(found.database?.version).toMatch(/^\d+\.\d+/);
      expect(found.queue).toMatchObject({ dead: 0 });
    });
  });

  it('fits on a screen, and shows no secret', async () => {
    const { code, text: shown } = await ended(startApp('admin', ['status'], env));
    expect(code).toBe(0);
    expect(shown.trimEnd().split('\n').length).toBeLessThan(25);
    const [, found] = /^[0-9a-f]{12} +gateway +(\S+) .* ready$/m.exec(shown) ?? [];
    expect(found).toBe(version);
    expect(shown).toMatch(/^queue +\d+ wait/m);
    expect(shown).not.toContain('password-of');
  });

  it('does with the role of a service, which sees no organization, and says so', async () => {
    const role = `status_${randomBytes(4).toString('hex')}`;
    const owner = new pg.Client({ connectionString: env['DATABASE_URL'] });
    await owner.connect();
    try {
      await owner.query(`create role ${role} login password 'plain' in role onefold_application`);
      const url = new URL(env['DATABASE_URL'] ?? '');
      url.username = role;
      url.password = 'plain';
      await eventually(async () => {
        const { code, found } = await status({ DATABASE_URL: url.href });
        expect(found.problems).toEqual([]);
        expect(code).toBe(0);
        expect(found).toMatchObject({ queue: { dead: 0 }, jobs: { failing: 0 } });
        expect(found.integrations).toBeUndefined();
        expect(found.notes).toEqual([expect.stringContaining(`${role} sees no organization`)]);
      });
    } finally {
      await owner.query(`drop role ${role}`);
      await owner.end();
    }
  });

  it('is refreshed by --watch until a signal, and ends with 0', async () => {
    const watching = startApp('admin', ['status', '--watch', '--json'], env);
    await watching.says(/("problems":[\s\S]*){2}/);
    expect(await watching.stop('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('says of a domain of --domains that no connector serves', async () => {
    const connector = startApp('connector', [], {
      ...onefold.env,
      ...natsUser('connector-edr'),
      DOMAINS: 'edr',
    });
    await connector.says(/"message":"ready"/);
    await eventually(async () => {
      const { found } = await status({}, '--domains', 'edr');
      expect(found.processes?.filter(({ domains }) => domains?.includes('edr')).length).toBe(2);
    });
    expect(await connector.stop()).toEqual({ code: 0, signal: null });
    const { code, text } = await ended(startApp('admin', ['status', '--domains', 'crm'], env));
    expect([code, text]).toEqual([1, expect.stringContaining('There is no domain "crm"')]);
  });
});

describe('of one with faults', () => {
  it('names integrations that fail, and hosts that are not called', async () => {
    const { api } = onefold;
    const { accountId } = await createMockIntegration(api, 'status');
    const made = await api.call('integrations_create', {
      path: { accountId },
      body: {
        provider_config: {
          type: 'ticketing_github',
          repository: 'octo-org/desk',
          url: 'http://127.0.0.1:1',
          credential: { type: 'token', secret: 'agent-token' },
        } as never,
      },
    });
    const authorization = `Bearer ${made.result.token.access.secret}`;
    for (let count = 0; count < 12; count += 1)
      await fetch(`${api.url}/v1/ticketing/tickets/1`, { headers: { authorization } });
    await eventually(async () => {
      const { code, found } = await status();
      expect(code).toBe(1);
      expect(found.providersDown).toEqual([
        expect.objectContaining({
          host: 'http://127.0.0.1:1',
          reason: expect.stringContaining('ECONNREFUSED'),
        }),
      ]);
      expect(found.integrations).toMatchObject({ total: 2, failing: 1 });
      expect(found.integrations?.last).toEqual([
        expect.objectContaining({
          id: made.result.integration.id,
          provider: 'ticketing_github',
          organization: 'root',
        }),
      ]);
    });
  });

  it('names a process that hangs, and what the others lack by it', async () => {
    const management = processOf('management');
    management.child.kill('SIGSTOP');
    try {
      const name = await nameOf(management);
      await eventually(async () => {
        const { code, found } = await status();
        expect(code).toBe(1);
        expect(found.silent).toEqual([{ process: name, serves: ['management'] }]);
        expect(found.problems.join('\n')).toMatch(/no management runs/);
        expect(found.problems.join('\n')).toMatch(/gateway [0-9a-f]+ is not ready: management: /);
      });
    } finally {
      management.child.kill('SIGCONT');
    }
  });

  it('names a process with another key', async () => {
    const keyFile = join(newFolder(), 'key');
    writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
    const wrong = startApp('gateway', [], {
      ...onefold.env,
      ...natsUser('gateway'),
      KEY_FILE: keyFile,
      PORT: '0',
    });
    onefold.processes['wrong gateway'] = wrong;
    await wrong.says(/"message":"ready"/);
    const name = await nameOf(wrong);
    await eventually(async () => {
      const { found } = await status();
      expect(found.refused).toEqual([
        expect.objectContaining({ process: name, reason: 'unknown_key' }),
      ]);
      expect(found.problems.join('\n')).toContain(`messages of ${name} are refused`);
    });
    // With its key everybody else is the odd one. Each is heard when it announces itself, which a busy machine delays.
    await eventually(async () => {
      const { code, found } = await status({ KEY_FILE: keyFile });
      expect(code).toBe(1);
      expect(found.processes?.map(({ process }) => process)).toEqual([name]);
      expect(found.refused?.length).toBeGreaterThanOrEqual(3);
    });
    await wrong.stop();
    delete onefold.processes['wrong gateway'];
  });

  it('names a part that cannot be asked, and shows the rest', async () => {
    const nowhere = await freePort();
    const database = `postgres://onefold:secret-word@127.0.0.1:${nowhere}/onefold`;
    await eventually(async () => {
      const noDatabase = await status({ DATABASE_URL: database });
      expect(noDatabase.code).toBe(1);
      expect(noDatabase.found.unasked).toEqual([
        { part: 'database', reason: expect.not.stringContaining('secret-word') },
      ]);
      expect(noDatabase.found.processes?.length).toBeGreaterThanOrEqual(4);
    });
    const noNats = await status({ NATS_URL: `nats://127.0.0.1:${nowhere}` });
    expect(noNats.code).toBe(1);
    expect(noNats.found.unasked).toEqual([
      { part: 'processes', reason: expect.stringContaining('is not reached') },
    ]);
    expect(noNats.found.queue).toMatchObject({ dead: 0 });
  });

  it('names a kind of process that is gone, also one that was killed', async () => {
    await processOf('operations').stop('SIGKILL');
    await processOf('connector').stop('SIGKILL');
    const { code, found } = await status();
    expect(code).toBe(1);
    expect(found.silent).toEqual([]);
    expect(found.problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining('no operations runs'),
        expect.stringContaining('no connector runs'),
        expect.stringContaining('no connector serves ticketing'),
      ]),
    );
  });
});

it('of npm start is read at the address that its folder names', async () => {
  const one = await startOnTestDatabase();
  const folder = join(one.keyFile, '../..');
  const found = JSON.parse(await one.admin('status', '--json')) as Status;
  expect(found.ok).toBe(true);
  expect(found.processes).toEqual([
    expect.objectContaining({ process: 'standalone', kind: 'standalone', ready: true }),
  ]);
  await one.processes['standalone']?.stop('SIGKILL');
  const after = startApp('admin', ['status', '--data', folder], {});
  expect(await ended(after)).toEqual({
    code: 1,
    text: expect.stringMatching(/does not answer at http:.*ECONNREFUSED/),
  });
  await one.stop();
});
