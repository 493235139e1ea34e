// A receiver of OTLP in the place of the OpenTelemetry collector, whose image no package has: it counts what the processes send to it.
import { setTimeout as sleep } from 'node:timers/promises';
import { caller, makeIntegration } from '../../deploy/smoke.mjs';

const port = 4318;
const maxWaitMs = 180_000;
const metrics = '/v1/metrics';
const paths = ['/v1/traces', metrics];

/** True for the Deployment of the component telemetry. */
export const isCollector = ({ metadata }) => metadata.name === 'opentelemetry-collector';

/** Runs in the pod: remembers the addresses that sent something to each path, and says them to GET. One line, as podman reads no other. */
const program = [
  'const seen = {};',
  "require('node:http').createServer((request, response) => {",
  "if (request.method === 'POST') (seen[request.url] ??= {})[request.socket.remoteAddress] = true;",
  "const text = request.method === 'POST' ? '{}' : JSON.stringify(seen);",
  "request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(text));",
  `}).listen(${port});`,
].join(' ');

/** Returns the Deployment of the collector with the receiver as its program; users, rights and file system stay. */
export function receiverInstead(deployment, image) {
  const copy = JSON.parse(JSON.stringify(deployment));
  const { spec } = copy.spec.template;
  const [{ name, securityContext }] = spec.containers;
  spec.containers = [{ name, securityContext, image, args: ['-e', program] }];
  delete spec.volumes;
  return copy;
}

/** @param processes their addresses by name @returns a line about it @throws Error if one does not send what it should */
export async function checkTelemetry(address, processes, token) {
  const names = Object.keys(processes);
  await startJob(processes.gateway, token);
  for (const until = Date.now() + maxWaitMs; ; await sleep(1000)) {
    const response = await fetch(`http://${address}:${port}/`);
    const seen = /** @type {any} */ (await response.json());
    const silent = paths.flatMap((path) => {
      const senders = Object.keys(seen[path] ?? {}).map((sender) => sender.replace('::ffff:', ''));
      return names
        .filter((name) => !senders.includes(processes[name]))
        .map((name) => `${name} to ${path}`);
    });
    if (silent.length === 0) return `metrics and traces came from ${names.length} processes`;
    if (Date.now() > until) throw new Error(`nothing was sent by ${silent.join(', ')}`);
  }
}

/** Gives the worker a task: it traces nothing else, and the smoke test has none for it. */
async function startJob(gateway, token) {
  const call = caller(`http://${gateway}:8080`);
  const types = (await call(token, 'GET', '/v1/capabilities/providers')).map(({ id }) => id);
  const { account } = await call(token, 'POST', '/v1/accounts', { name: 'telemetry' });
  const make = (domain) => makeIntegration(call, token, account.id, domain, types);
  const [source, sink] = [await make('edr'), await make('sink')];
  await call(token, 'POST', '/v1/jobs', {
    integration_id: source.id,
    operation: 'edr_query_endpoints',
    input: { sink_integration_id: sink.id },
  });
}
