import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runningPostgresUrl } from '#embedded';
import { pretendFullDisk, runStatements } from '#test/harness';
import { newFolder } from '../e2e/onefold.js';
import { programOf, type Running, startApp, startProgram } from '../e2e/processes.js';

const diskMegabytes = 320;

/** Disk below a whole service that can be filled and emptied. */
interface Disk {
  fill(): Promise<void>;
  empty(): Promise<void>;
}

/** Starts a service whose data is on such a disk. */
interface Started {
  service: Running;
  disk: Disk;
}

const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const mount = `mount -t tmpfs -o size=${diskMegabytes}m,mode=711 tmpfs "$0"`;

/** True if this user may mount file systems, which containers often forbid. */
function canMount(): boolean {
  const { status } = spawnSync('unshare', [...asRoot, '--mount', 'sh', '-c', mount, tmpdir()]);
  return status === 0;
}

function ownerUrl(data: string): string {
  const url = runningPostgresUrl(data);
  if (url === undefined) throw new Error(`no PostgreSQL runs on ${data}`);
  return url;
}

/** The data is on a file system of a fixed size, which only the service and its child processes see. */
async function startOnSmallDisk(folder: string, data: string): Promise<Started> {
  const running = startProgram('unshare', [
    ...asRoot,
    '--mount',
    'sh',
    '-c',
    `${mount} && exec "$@"`,
    folder,
    process.execPath,
    programOf('standalone'),
    '--port',
    '0',
    '--data',
    data,
  ]);
  await running.says(/^Ctrl-C stops it\.$/m);
  const seen = join('/proc', String(running.child.pid), 'root', data);
  const filler = join(seen, 'filler');
  return {
    service: running,
    disk: {
      // The write-ahead log has a new file of a fixed size, so that tables run out of space.
      fill: async () => {
        await runStatements(ownerUrl(seen), ['checkpoint', 'select pg_switch_wal()', 'checkpoint']);
        const file = openSync(filler, 'w');
        for (const size of [1 << 20, 1 << 12])
          try {
            for (;;) writeSync(file, Buffer.alloc(size, 1));
          } catch (error) {
            expect(error).toMatchObject({ code: 'ENOSPC' });
          }
        fsyncSync(file);
        closeSync(file);
      },
      empty: () => Promise.resolve(rmSync(filler)),
    },
  };
}

/** Works where file systems cannot be mounted. */
async function startOnPretendedDisk(_folder: string, data: string): Promise<Started> {
  const running = startApp('standalone', ['--port', '0', '--data', data]);
  await running.says(/^Ctrl-C stops it\.$/m);
  let empty = (): Promise<void> => Promise.reject(new Error('the disk is not full'));
  const fill = async () => void (empty = await pretendFullDisk(ownerUrl(data)));
  return { service: running, disk: { fill, empty: () => empty() } };
}

describe.each([
  ['of a fixed size', startOnSmallDisk, canMount()],
  ['that PostgreSQL pretends', startOnPretendedDisk, true],
] as const)('a full disk %s', (_kind, start, isPossible) => {
  const folder = newFolder();
  let service: Running | undefined;
  let disk: Disk;
  let value: (label: string) => string;
  beforeAll(async () => {
    if (isPossible) ({ service, disk } = await start(folder, join(folder, 'data')));
    const output = service?.output() ?? '';
    value = (label) => new RegExp(`^${label}: (\\S+)$`, 'm').exec(output)?.[1] ?? '';
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Creates an account that takes some 13 KB on disk. */
  async function create(name: string) {
    const labels = Array.from({ length: 100 }, () => randomBytes(60).toString('hex'));
    const response = await fetch(`${value('Address')}/v1/accounts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${value('Organization token')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name, labels }),
    });
    const { message = '' } = (await response.json()) as { message?: string };
    return { status: response.status, message, wait: response.headers.get('retry-after') };
  }

  async function readiness(): Promise<[status: number, text: string]> {
    const response = await fetch(`${value('Health and metrics')}/health/ready`);
    return [response.status, await response.text()];
  }

  (isPossible ? it : it.skip)(
    'is a 503 that names it, is told by readiness, and is forgotten when there is room again',
    async () => {
      expect(await create('before')).toMatchObject({ status: 200 });
      expect((await readiness())[0]).toBe(200);
      await disk.fill();
      const answers = [];
      for (let index = 0; index < 60; index += 1) answers.push(await create(`during-${index}`));
      // The first ones fit into existing pages.
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.length).toBeGreaterThan(30);
      const full = { status: 503, message: 'the disk of the database is full', wait: '30' };
      expect(refused).toEqual(refused.map(() => full));
      expect(await readiness()).toEqual([503, expect.stringContaining(full.message)]);
      await disk.empty();
      expect((await readiness())[0]).toBe(200);
      expect(await create('after')).toMatchObject({ status: 200 });
    },
    120_000,
  );
});
