// The servers of the component nats-cluster for podman, which knows no StatefulSet, and their death under load.
import { startLoad } from '../upgrade/load.mjs';
import { waitUntilReady } from './compose-service.mjs';
import { totalOf, waitForSuccess } from './kill-each.mjs';

/** So many calls are made while a server is missing. */
const callsWithout = 300;

/** Returns the pods of a StatefulSet. They are not started again by podman when they end, so that a dead one is missing for a while. */
export function podsOf({ metadata, spec }) {
  return Array.from({ length: spec.replicas }, (_, number) => {
    const name = `${metadata.name}-${number}`;
    const pod = JSON.parse(JSON.stringify(spec.template.spec));
    for (const container of pod.containers)
      container.env = container.env.map((one) =>
        one.name === 'POD_NAME' ? { name: one.name, value: name } : one,
      );
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name },
      spec: { ...pod, restartPolicy: 'Never' },
      aliases: [metadata.name, `${name}.${spec.serviceName}`],
    };
  });
}

/**
 * Kills each server while the API is called, and starts it again when the calls work without it.
 * @param servers the names of their pods @param gateway the address of the API @returns a line about it
 */
export async function killServers({ containers, servers, gateway, token }) {
  const { podman, addressOfPod } = containers;
  const load = await startLoad({ gateways: [gateway], token });
  const lines = [];
  try {
    for (const pod of servers) {
      const container = `${pod}-nats`;
      const connected = await connectionsOf(await addressOfPod(pod));
      const before = load.report();
      await podman('kill', '-s', 'SIGKILL', container);
      await waitForSuccess(load, callsWithout);
      const state = await podman('inspect', '--format', '{{.State.Running}}', container);
      if (state.trim() !== 'false') throw new Error(`${container} runs, although it was killed`);
      await podman('start', container);
      await waitUntilReady(await addressOfPod(pod), 8222, '/healthz'); // the address is another one now
      const now = load.report();
      lines.push(
        `${pod} had ${connected} connections, ${now.failed - before.failed} of ${totalOf(now) - totalOf(before)} calls failed`,
      );
    }
  } finally {
    await load.stop();
  }
  return `each server was killed under load: ${lines.join('; ')}`;
}

async function connectionsOf(address) {
  const response = await fetch(`http://${address}:8222/varz`);
  const found = /** @type {any} */ (await response.json());
  if (found.routes < 1) throw new Error(`the server at ${address} has no routes to others`);
  return found.connections;
}
