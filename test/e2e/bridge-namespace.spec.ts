import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '#test/harness';
import { allowed, createGroup, writeAgentFile } from './bridge-agents.js';
import { namespaceFault, NetworkNamespace } from './network-namespace.js';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';
import { PortForwarder } from './port-forwarder.js';
import { programOf, type Running } from './processes.js';
import { ticketingSystemWalk } from './ticketing-system-walk.js';
import { ticketingSystems } from './ticketing-systems.js';

const kit = fileURLToPath(new URL('../../apps/provider-kit/src/main.js', import.meta.url));
const fault = namespaceFault();
const title = fault === undefined ? '' : ` (skipped: no network namespace: ${fault})`;

const forms: [string, () => Promise<Onefold>][] = [
  ['embedded', () => startOnTestDatabase()],
  ['distributed', () => startDistributed({}, { worker: false })],
];

(fault === undefined ? describe : describe.skip).each(forms)(
  `a system in a network that only the agent reaches, %s${title}`,
  (_form, start) => {
    let onefold: Onefold;
    let namespace: NetworkNamespace;
    let forwarder: PortForwarder;
    let running: Running;
    let agent: Running | undefined;
    /** The address of the system, which listens on the loopback of its network alone. */
    let url: string;

    beforeAll(async () => {
      namespace = await NetworkNamespace.create();
      onefold = await start();
      // Free on this machine too, where all that listens has started: nothing else answers for the system.
      const port = await freePort();
      running = namespace.startNode([kit, 'fake', 'linear', '--port', String(port)]);
      forwarder = await PortForwarder.start(
        [Number(new URL(onefold.api.url).port)],
        namespace.gateway,
      );
      [, url = ''] = await running.says(/ (http:\S+)/);
    });
    afterAll(async () => {
      await agent?.stop();
      await running.stop();
      forwarder.stop();
      await onefold.stop();
      await namespace.delete();
    });

    const [linear] = ticketingSystems.filter(({ name }) => name === 'Linear');
    if (linear === undefined) throw new Error('Linear has no walk');
    ticketingSystemWalk(() => onefold, {
      ...linear,
      name: 'Linear in the network',
      start: async () => {
        const elsewhere = await linear.start();
        await elsewhere.stop(); // Its configuration is that of any fake of Linear.
        return {
          config: { ...elsewhere.config, url },
          ...(elsewhere.secret === undefined ? {} : { secret: elsewhere.secret }),
          violations: async () =>
            JSON.parse(await namespace.fetch(`${url}/_fake/violations`)) as unknown[],
          stop: () => Promise.resolve(),
        };
      },
      bridge: async (api, accountId) => {
        const { id, credential } = await createGroup(api, accountId);
        const file = writeAgentFile(forwarder.url, { allow: allowed(url) });
        const env = { BRIDGE_CREDENTIAL: credential };
        agent = namespace.startNode([programOf('bridge-agent'), file], env);
        await agent.says(/"message":"connected"/);
        return { type: 'id', value: id };
      },
    });

    it('is not reached from this machine, nor by the service without the agent', async () => {
      const { port } = new URL(url);
      for (const host of ['127.0.0.1', namespace.address])
        await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
          cause: { code: 'ECONNREFUSED' },
        });
      const { api } = onefold;
      const { account } = (await api.call('accounts_create', { body: {} })).result;
      const credential = { type: 'token', secret: 'agent-token' };
      const { result } = await api.call('integrations_create', {
        path: { accountId: account.id },
        body: { provider_config: { type: 'ticketing_linear', url, credential } as never },
      });
      const direct = api.as(result.token.access.secret);
      const problem = await direct.refuse('ticketing_list_projects', 502);
      expect(problem.message).not.toContain('agent');
    });
  },
);
