import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError, type ProcessReport } from '#observe';
import { type Check, look, type Subject, CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';
import { readText } from './status/read-text.js';

/** A port of 0 is any free one. */
interface Port {
  variable: 'PORT' | 'OBSERVE_PORT';
  host: string;
  port: number;
  purpose: string;
}

/** Checks that the ports of a process are free, or its own: it may be running. */
export async function checkPorts(
  { host, port, observeHost, observePort }: DoctorConfiguration,
  as: Subject,
): Promise<Check[]> {
  const ports: Port[] = [
    {
      variable: 'OBSERVE_PORT',
      host: observeHost,
      port: observePort,
      purpose: 'for health and metrics',
    },
  ];
  if (as === 'gateway') ports.push({ variable: 'PORT', host, port, purpose: 'of the API' });
  const checks: Check[] = [];
  for (const one of ports)
    checks.push(await look(`port ${one.variable}`, () => checkPort(one, as)));
  return checks;
}

async function checkPort({ variable, host, port, purpose }: Port, as: Subject): Promise<string> {
  if (port === 0) return 'any free port is taken at the start';
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return `${host}:${port} is free`;
  } catch (cause) {
    const owner = await ownerOf(variable, host, port);
    if (owner === as || (as === 'service' && owner !== undefined))
      return `${host}:${port} is used by the ${owner} that runs`;
    const error = listenError(`${host}:${port}`, cause, variable, purpose);
    const by = owner === undefined ? '' : ` It is the ${owner} of Onefold.`;
    throw new CheckFailure(`${error.message}${by}`, `ss -ltnp 'sport = :${port}'`);
  } finally {
    server.close();
  }
}

/** Returns the kind of the process of Onefold that listens at an address; undefined for other programs. */
async function ownerOf(variable: Port['variable'], host: string, port: number) {
  const name =
    host === '0.0.0.0'
      ? '127.0.0.1'
      : host === '::'
        ? '[::1]'
        : host.includes(':')
          ? `[${host}]`
          : host;
  const path = variable === 'PORT' ? '/health/ready' : '/status';
  try {
    const report = JSON.parse(await readText(new URL(path, `http://${name}:${port}`))) as unknown;
    const { kind, ready } = report as Partial<ProcessReport>;
    if (variable === 'PORT') return typeof ready === 'boolean' ? 'gateway' : undefined;
    return kind;
  } catch {
    return undefined; // it speaks something else
  }
}
