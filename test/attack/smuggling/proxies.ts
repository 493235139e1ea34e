import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '#test/harness';

export type ProxyName = 'nginx' | 'haproxy';

/** A proxy in front of a gateway. */
export interface Proxy {
  url: string;
  stop(): Promise<void>;
}

const folderOfProxies = new URL('../../../../deploy/proxy/', import.meta.url); // Seen from dist.

/** Debian installs both where only the administrator's path leads. */
const path = `/usr/local/sbin:/usr/sbin:/sbin:${process.env['PATH'] ?? ''}`;

/** True if the program of a proxy is installed. */
export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, ['-v'], { env: { PATH: path } }).status === 0;
}

/**
 * Starts a proxy with the recommended configuration, but without TLS, and with one connection to the gateway, which all clients share.
 * @param traceId of every request that the proxy forwards
 */
export async function startProxy(
  name: ProxyName,
  gateway: string,
  traceId: string,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-proxy-'));
  chmodSync(folder, 0o711); // The worker of nginx is another user.
  const port = await freePort();
  const traceparent = `00-${traceId}-0000000000000001-01`;
  const write = { nginx: writeNginx, haproxy: writeHaproxy }[name];
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, write(folder, port, new URL(gateway).host, traceparent));
  const args = name === 'nginx' ? ['-e', 'stderr', '-c', file] : ['-db', '-f', file];
  const child = spawn(name, args, { env: { PATH: path }, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`${name} has ended: ${errors}`);
      return isListening(port);
    });
  } catch (error) {
    await end(child, folder);
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child, folder) };
}

function writeNginx(folder: string, port: number, gateway: string, traceparent: string): string {
  const site = edit(read('nginx.conf'), [
    [/listen .*;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*;/, ''],
    [/ssl_certificate_key .*;/, ''],
    ['127.0.0.1:8080', gateway],
    ['keepalive 32;', 'keepalive 1;'],
    [/proxy_set_header X-Forwarded-For.*;/g, `proxy_set_header Traceparent ${traceparent};`],
  ]);
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
${site}}`;
}

function writeHaproxy(_folder: string, port: number, gateway: string, traceparent: string): string {
  return edit(read('haproxy.cfg'), [
    [/bind .*/, `bind 127.0.0.1:${port}\n  http-request set-header Traceparent ${traceparent}`],
    ['http-reuse safe', 'http-reuse always'],
    ['127.0.0.1:8080', `${gateway} maxconn 8`],
  ]);
}

const read = (name: string) => readFileSync(new URL(name, folderOfProxies), 'utf8');

/** Replaces parts of a text. @throws Error for one that the text does not contain */
function edit(text: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  return replacements.reduce((before, [part, replacement]) => {
    const after = before.replace(part, () => replacement);
    if (after === before) throw new Error(`the configuration does not contain ${part}`);
    return after;
  }, text);
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
