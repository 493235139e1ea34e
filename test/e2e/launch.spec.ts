import { execFileSync, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { servedDomains } from '#contract';
import { takenPort } from '#test/harness';
import { admin, newFolder } from './onefold.js';
import { ended, type Running, startApp } from './processes.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const made = newFolder();
  cleanups.push(() => rmSync(made, { recursive: true, force: true }));
  return join(made, 'data');
}

type Started = Running & { value: (label: string) => string };

/** Starts the standalone process on a folder and waits until it says everything. */
async function start(data: string): Promise<Started> {
  const running = startApp('standalone', ['--port', '0', '--data', data]);
  try {
    await running.says(/^Ctrl-C stops it\.$/m);
  } catch (error) {
    await running.stop('SIGKILL');
    throw error;
  }
  return {
    ...running,
    value: (label) => new RegExp(`^${label}: (\\S+)$`, 'm').exec(running.output())?.[1] ?? '',
  };
}

/** The first start of a folder, which creates database and keys. It runs until another test copies what it has created. */
let first: Started;
const firstFolder = newFolder();
beforeAll(async () => {
  first = await start(join(firstFolder, 'data'));
});
afterAll(async () => {
  await first.stop();
  await (await further)?.stop();
  rmSync(firstFolder, { recursive: true, force: true });
});

/** Copies the folder of the first start with owners and modes, which takes a tenth of the time of a start. */
async function copyFirst(data: string): Promise<string> {
  expect(await first.stop('SIGINT')).toEqual({ code: 0, signal: null });
  execFileSync('cp', ['-a', join(firstFolder, 'data'), data]);
  return data;
}

const startedFolder = () => copyFirst(folder());

const furtherData = join(firstFolder, 'further');
let further: Promise<Started> | undefined;

/** A further start of the data of the first one, which several tests use. */
function furtherStart(): Promise<Started> {
  return (further ??= copyFirst(furtherData).then(start));
}

describe('the first start', () => {
  it('prints tokens and a request that answers with tickets', async () => {
    expect(first.value('Organization token')).toMatch(/^ofo_/);
    expect(first.value('Integration token')).toMatch(/^ofi_/);
    expect(first.value('Address')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, token = '', url = ''] = await first.says(
      /^ {2}curl -s -H 'Authorization: Bearer (\S+)' '(\S+)'$/m,
    );
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { result } = (await response.json()) as { result: { id: string }[] };
    expect(result.map(({ id }) => id)).toEqual(['ITS-1001', 'ITS-1002']);
    const page = await fetch(first.value('API reference'));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);
    const ready = await fetch(`${first.value('Health and metrics')}/health/ready`);
    expect(await ready.json()).toMatchObject({ ready: true });
  });

  it('warns of nothing', () => {
    const lines = first.output().split('\n');
    expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  it('makes integrations of mocks, and the administrative command prints a request to each that answers', async () => {
    const url = first.value('Address');
    const data = join(firstFolder, 'data');
    const command = startApp('admin', ['demo', '--url', url, '--data', data]);
    expect((await command.exited).code).toBe(0);
    const requests = [
      ...command
        .output()
        .matchAll(/^(\w+) .*-H 'Authorization: Bearer (\S+)'(?: .* -d '(.*)')? '(\S+)'$/gm),
    ];
    const domains = requests.map(([, domain]) => domain);
    expect(domains).toEqual(servedDomains);
    for (const [, domain, token = '', body, address = ''] of requests) {
      const { status } = await fetch(address, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      expect([domain, status]).toEqual([domain, 200]);
    }
  });

  it('has a program of the demonstration, which runs with the client', async () => {
    const data = join(firstFolder, 'data');
    const url = first.value('Address');
    const command = startApp('admin', ['demo', '--typescript', '--url', url, '--data', data]);
    expect((await command.exited).code).toBe(0);
    const program = command.output();
    // Where the package @onefold/client is found, as in a folder that has installed it.
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      encoding: 'utf8',
    });
    const domains = [...printed.matchAll(/^(\w+): /gm)].map(([, domain]) => domain);
    expect(domains).toEqual(servedDomains);
  });

  it('is the demonstration of README.md: its picture has the integrations, and its requests have results', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const data = join(firstFolder, 'data');
    const url = first.value('Address');
    const headers = { authorization: `Bearer ${first.value('Organization token')}` };
    const listed = await fetch(`${url}/v1/status?expand=integration`, { headers });
    const { result } = (await listed.json()) as {
      result: { integration: { category: string; provider_fullname: string } }[];
    };
    const shown = [...readme.matchAll(/^ +(\w+)\["(\w+)<br>(.+)"\]$/gm)];
    expect(shown.map(([, node, domain, name]) => [node, domain, name]).sort()).toEqual(
      result
        .map(({ integration: { category, provider_fullname: name } }) => [
          category,
          category,
          name.replace(/ \(mock\)$/, ''),
        ])
        .sort(),
    );
    const exported = startApp('admin', ['demo', '--export', '--url', url, '--data', data]);
    expect((await exported.exited).code).toBe(0);
    const requests = [...readme.matchAll(/^\| `(\w+)` +\| `(curl .+)` +\|$/gm)];
    expect(requests.map(([, domain]) => domain)).toEqual(servedDomains);
    for (const [, domain, command = ''] of requests) {
      const text = execFileSync('bash', ['-c', `${exported.output()}\n${command}`], {
        encoding: 'utf8',
      });
      const answer = JSON.parse(text) as { result?: unknown };
      expect([domain, [answer.result].flat().length > 0, answer]).toEqual([
        domain,
        true,
        expect.objectContaining({ result: expect.anything() as unknown }),
      ]);
    }
  });

  it('keeps its keys and passwords to this user', () => {
    const data = join(firstFolder, 'data');
    const modes = Object.fromEntries(
      [
        ...readdirSync(join(data, 'keys')).map((name) => join('keys', name)),
        'keys',
        'postgres.password',
      ].map((name) => [name, (statSync(join(data, name)).mode & 0o777).toString(8)]),
    );
    expect(modes).toEqual({
      'keys/key-encryption.key': '600',
      keys: '700',
      'postgres.password': '600',
    });
  });
});

describe('npm start', () => {
  /** Runs `npm start` as the leader of a new process group, as a shell does. */
  async function npmStart(data: string) {
    const npm = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = npm.pid ?? 0;
    cleanups.push(() => {
      for (const left of processesOf(data)) process.kill(left, 'SIGKILL');
    });
    // The pipe closes when the last process that has inherited it has ended.
    const ended = once(npm, 'close');
    let output = '';
    const isReady = () => /^Ctrl-C stops it\.$/m.test(output);
    const chunks = on(npm.stdout, 'data', { close: ['end'] }) as AsyncIterable<[Buffer]>;
    for await (const [chunk] of chunks) {
      output += chunk.toString();
      if (isReady()) break;
    }
    if (!isReady()) throw new Error(`npm start ended before it was ready; it said:\n${output}`);
    npm.stdout.resume();
    return { pid, ended };
  }

  /** Lists processes with the folder in their command line: npm, its shell, Node and PostgreSQL. */
  function processesOf(data: string): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => {
        try {
          return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
        } catch {
          return false; // The process has ended meanwhile.
        }
      });
  }

  it.each([
    ['SIGTERM', 'npm alone'],
    ['SIGINT', 'npm alone'],
    ['SIGHUP', 'npm alone'],
    ['SIGKILL', 'npm alone'],
    ['SIGTERM', 'the process group'],
    ['SIGINT', 'the process group'],
    ['SIGHUP', 'the process group'],
  ] as const)('leaves no process behind after %s to %s', async (signal, target) => {
    const data = await startedFolder();
    const npm = await npmStart(data);
    expect(processesOf(data).length).toBeGreaterThan(2);
    process.kill(target === 'npm alone' ? npm.pid : -npm.pid, signal);
    await npm.ended;
    expect(processesOf(data)).toEqual([]);
    // PostgreSQL was stopped and not killed: it has removed its lock file.
    expect(existsSync(join(data, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

describe('a further start', () => {
  it('finds its data, prints no token, and takes the tokens from before', async () => {
    const second = await furtherStart();
    const token = first.value('Integration token');
    expect(second.output()).not.toMatch(/of[oi]_/);
    expect(second.output()).toContain('npm run -s admin -- token');
    const response = await fetch(`${second.value('Address')}/v1/ticketing/tickets`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
  });

  it('works after kill -9, with what was there', async () => {
    const token = first.value('Organization token');
    await (await furtherStart()).stop('SIGKILL');
    further = start(furtherData);
    const response = await fetch(`${(await further).value('Address')}/v1/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ result: [{ name: 'demo' }] });
  });

  it('ends on the folder of a running one, and names the process that has it', async () => {
    const running = await furtherStart();
    const { code, text } = await ended(
      startApp('standalone', ['--port', '0', '--data', furtherData]),
    );
    expect(code).toBe(1);
    expect(text).toContain(`the folder is in use by process ${running.child.pid}.`);
    expect(text).toContain('give another folder with --data');
  });
});

describe('a start on a taken port', () => {
  it('names it and how to choose another', async () => {
    const { port, close } = await takenPort();
    cleanups.push(close);
    const data = await startedFolder();
    const { code, text } = await ended(
      startApp('standalone', ['--port', String(port), '--data', data]),
    );
    expect(code).toBe(1);
    expect(text).toContain(
      `127.0.0.1:${port}: the port of the API is in use by another program. Stop that program, or choose another one with PORT (--port).`,
    );
    const again = await start(data); // The database was stopped, and the folder is free.
    cleanups.push(() => again.stop());
  });
});

describe('administrative commands', () => {
  it('give a member a password for the next logon', async () => {
    const onefold = await furtherStart();
    const data = furtherData;
    const asked = admin({}, 'password', '--member', 'administrator', '--data', data);
    const [, password = ''] = / for the next logon: (\S+)$/m.exec(await asked) ?? [];
    const response = await fetch(`${onefold.value('Address')}/v1/auth/logon/root`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'administrator', secret: password }),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { auth_code: 'expired' } });
    await expect(admin({}, 'password', '--data', data)).rejects.toThrow('--member <name or id>');
    const unknownMember = admin({}, 'password', '--member', 'nobody', '--data', data);
    await expect(unknownMember).rejects.toThrow('there is no member "nobody"');
  });

  it('work beside a service that runs on the folder', async () => {
    const onefold = await furtherStart();
    const [, token = ''] =
      /^Organization token: (\S+)$/m.exec(await admin({}, 'token', '--data', furtherData)) ?? [];
    const response = await fetch(`${onefold.value('Address')}/v1/organization`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
  });
});
