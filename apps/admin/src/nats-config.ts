import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { natsPermissions, passwordVariable } from '#bus';
import { StartError } from '#observe';
import type { Options } from './options.js';
import { chooseRoles } from './nats-users.js';

const mark = '# Written by npm run -s admin -- nats-config, which replaces it when it runs again.';
const defaultListen = '127.0.0.1:4222';

/** The files of a folder that `tls` names. */
const tlsFiles = { cert_file: 'server.pem', key_file: 'server.key', ca_file: 'ca.pem' };

/**
 * `npm run -s admin -- nats-config`: writes a whole configuration of nats-server for some processes, the passwords that it reads from its
 * environment, and the log-on of each process. Passwords that a former run made are kept.
 */
export async function writeNatsConfig({
  folder,
  processes,
  domains,
  listen = defaultListen,
  tls,
}: Options): Promise<string> {
  if (folder === undefined || processes === undefined)
    throw new StartError(
      'Say which: --processes gateway,management,operations,connector --folder /etc/onefold/nats. The user "admin" is for admin status.',
    );
  if (!/^(?:[\w.-]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(listen))
    throw new StartError(
      `--listen ${listen} is not an address with a port, such as ${defaultListen}.`,
    );
  const roles = chooseRoles(domains, processes);
  const path = resolve(folder);
  const file = join(path, 'nats.conf');
  if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(mark))
    throw new StartError(
      `${file} exists and was not written by this command: choose another folder.`,
    );
  const block = tls === undefined ? '' : tlsBlock(resolve(tls));
  mkdirSync(join(path, 'clients'), { recursive: true, mode: 0o700 });
  const passwordFile = join(path, 'nats.env');
  const former = readVariables(passwordFile);
  const passwords = roles.map(({ role }) => {
    const variable = passwordVariable(role);
    // It begins with a letter: nats-server reads what looks like a number as one.
    return {
      role,
      variable,
      password: former.get(variable) ?? `p${randomBytes(24).toString('hex')}`,
    };
  });
  write(file, `${mark}\n${serverOf(listen)}${block}${natsPermissions(roles)}`);
  write(
    passwordFile,
    passwords.map(({ variable, password }) => `${variable}=${password}\n`).join(''),
  );
  for (const { role, password } of passwords)
    write(join(path, 'clients', `${role}.env`), `NATS_USER=${role}\nNATS_PASSWORD=${password}\n`);
  return [
    `${file}: the configuration of nats-server (2.9 or later), for ${roles.map(({ role }) => role).join(', ')}.`,
    `${passwordFile}: the variables that it needs, and no others. Start it with them: EnvironmentFile=${passwordFile} of its unit.`,
    `${join(path, 'clients')}: NATS_USER and NATS_PASSWORD of each process.`,
  ].join('\n');
}

function serverOf(listen: string): string {
  return `listen: "${listen}"
# Health (/healthz) and connections, for the machine itself.
http: "127.0.0.1:8222"
# A machine that vanishes is noticed within 15 s (docs/bus.md).
ping_interval: "5s"
ping_max: 3
# A server that stops hands over its clients first.
lame_duck_duration: "30s"
`;
}

function tlsBlock(folder: string): string {
  const lines = Object.entries(tlsFiles).map(([name, file]) => {
    const path = join(folder, file);
    if (!existsSync(path))
      throw new StartError(
        `--tls: there is no ${path}. The folder needs ${Object.values(tlsFiles).join(', ')}.`,
      );
    return `  ${name}: "${path}"\n`;
  });
  return `tls {\n${lines.join('')}  verify: true\n}\n`;
}

function readVariables(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value] as const];
    }),
  );
}

function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
