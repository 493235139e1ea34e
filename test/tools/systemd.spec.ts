import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type ConfigurationClass, loadConfiguration, settingsOf } from '#config';
import { AdminConfiguration } from '../../apps/admin/src/configuration.js';
import { ConnectorConfiguration } from '../../apps/connector/src/configuration.js';
import { GatewayConfiguration } from '../../apps/gateway/src/gateway-configuration.js';
import { ManagementConfiguration } from '../../apps/management/src/configuration.js';
import { OperationsConfiguration } from '../../apps/operations/src/configuration.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'deploy/systemd');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const units = readdirSync(folder).filter((file) => file.endsWith('.service'));
const logOn = { NATS_USER: 'user', NATS_PASSWORD: 'password' };
const classes: Readonly<Record<string, ConfigurationClass>> = {
  admin: AdminConfiguration,
  connector: ConnectorConfiguration,
  gateway: GatewayConfiguration,
  management: ManagementConfiguration,
  operations: OperationsConfiguration,
};

/** Reads the lines `name=value` of a file; a name may be there several times. */
function linesOf(text: string): [string, string][] {
  return text.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value ?? ''] as [string, string]];
  });
}

function all(unit: string, name: string): string[] {
  return linesOf(read(unit)).flatMap(([known, value]) => (known === name ? [value] : []));
}

describe.each(units)('%s', (unit) => {
  const [command = ''] = all(unit, 'ExecStart');
  const [, program = '', app = ''] =
    /(dist\/run\/apps\/([\w-]+)\/src\/main\.js)/.exec(command) ?? [];

  it('runs a program of the build, from its folder', () => {
    expect(existsSync(join(root, program))).toBe(true);
    expect(all(unit, 'WorkingDirectory')).toEqual(['/opt/onefold']);
    expect(command).toMatch(/^\/usr\/bin\/node dist\/run\//);
  });

  it('is given settings that its process has and takes, and all that it needs', () => {
    const files = all(unit, 'EnvironmentFile').map((path) =>
      path.replace('/etc/onefold/', '').replace('%i', 'all'),
    );
    expect(files.length).toBeGreaterThan(0);
    const variables = Object.fromEntries(files.flatMap((file) => linesOf(read(`env/${file}`))));
    const type = classes[app];
    if (type === undefined) throw new Error(`${unit} runs ${app}`);
    const known = settingsOf(type).map(({ variable }) => variable);
    // The administrative commands read the settings of the doctor besides.
    const own = app === 'admin' ? [...known, 'BUS_KEY_FILE'] : known;
    expect(Object.keys(variables).filter((name) => !own.includes(name))).toEqual([]);
    expect(Object.values(variables)).not.toContain('');
    expect(() => loadConfiguration(type, { ...variables, ...logOn })).not.toThrow();
  });

  it('runs as a user that is made, and is on the page', () => {
    const users = read('sysusers.conf');
    for (const user of all(unit, 'User')) expect(users).toMatch(new RegExp(`^u ${user} `, 'm'));
    for (const group of [...all(unit, 'Group'), ...all(unit, 'SupplementaryGroups')])
      expect(users).toMatch(new RegExp(`^g ${group} `, 'm'));
    const page = readFileSync(join(root, 'docs/systemd.md'), 'utf8');
    expect(page).toContain(unit.replace(/@?\.service$/, ''));
  });
});

it('gives each process of a machine a port of its own', () => {
  const ports = readdirSync(join(folder, 'env')).flatMap((file) =>
    linesOf(read(`env/${file}`)).flatMap(([name, value]) => (name.endsWith('PORT') ? [value] : [])),
  );
  expect(ports.length).toBe(5);
  expect(new Set(ports).size).toBe(ports.length);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
(analyze ? describe : describe.skip)(
  `systemd-analyze${analyze ? '' : ' (not on this machine: apt-get install systemd)'}`,
  () => {
    it('finds nothing wrong, and an exposure of at most 2', () => {
      const copy = mkdtempSync(join(tmpdir(), 'onefold-units-'));
      try {
        for (const unit of [...units, 'onefold.target']) {
          // Node is elsewhere on some machines, and an instance needs a name.
          const text = read(unit).replace('/usr/bin/node', process.execPath);
          writeFileSync(join(copy, unit.replace('@.', '@all.')), text);
        }
        cpSync(
          join(folder, 'onefold-connector@.service'),
          join(copy, 'onefold-connector@.service'),
        );
        const files = readdirSync(copy).filter((file) => !file.includes('@.'));
        const verify = spawnSync(
          'systemd-analyze',
          ['verify', ...files.map((file) => `./${file}`)],
          {
            cwd: copy,
            encoding: 'utf8',
          },
        );
        const ours = `${verify.stdout}${verify.stderr}`
          .split('\n')
          .filter((line) => line.includes('onefold'));
        expect(ours).toEqual([]);
        for (const unit of files.filter((file) => file.endsWith('.service'))) {
          const { stdout } = spawnSync(
            'systemd-analyze',
            ['security', '--offline=true', `./${unit}`],
            {
              cwd: copy,
              encoding: 'utf8',
            },
          );
          const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
          expect(Number(exposure)).toBeLessThanOrEqual(2);
        }
      } finally {
        rmSync(copy, { recursive: true });
      }
    });
  },
);
