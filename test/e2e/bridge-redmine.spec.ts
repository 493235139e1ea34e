import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, redmineFault, redmineProgram } from '#test/harness';
import { allowed, createGroup, writeAgentFile } from './bridge-agents.js';
import { namespaceFault, NetworkNamespace } from './network-namespace.js';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';
import { PortForwarder } from './port-forwarder.js';
import { programOf, type Running } from './processes.js';
import { ticketingSystemWalk } from './ticketing-system-walk.js';
import { realRedmine, startInRedmine } from './ticketing-systems.js';

const forms: [string, () => Promise<Onefold>][] = [
  ['embedded', () => startOnTestDatabase()],
  ['distributed', () => startDistributed({}, { worker: false })],
];
const fault = namespaceFault() ?? redmineFault();
const title = fault === undefined ? '' : ` (skipped: ${fault})`;

(fault === undefined ? describe : describe.skip)(
  `a real Redmine in a network that only the agent reaches${title}`,
  () => {
    let namespace: NetworkNamespace;
    let redmine: Running;
    let remove: () => void;
    /** Its address, on the loopback of its network alone, and the key of its administrator. */
    let server: { url: string; apiKey: string };

    beforeAll(async () => {
      namespace = await NetworkNamespace.create();
      const port = await freePort(); // Free on this machine too, so that nothing else answers for it.
      const program = redmineProgram(port);
      ({ remove } = program);
      redmine = namespace.start(program.command, program.args, program.env);
      const [, apiKey = ''] = await redmine.says(/^api key (\S+)$/m, 300_000);
      const [, url = ''] = await redmine.says(/Listening on (http:\S+)/);
      server = { url, apiKey };
    }, 360_000);
    afterAll(async () => {
      await redmine.stop();
      remove();
      await namespace.delete();
    });

    describe.each(forms)('%s', (_form, start) => {
      let onefold: Onefold;
      let forwarder: PortForwarder;
      let agent: Running | undefined;

      beforeAll(async () => {
        onefold = await start();
        const port = Number(new URL(onefold.api.url).port);
        forwarder = await PortForwarder.start([port], namespace.gateway);
      }, 120_000);
      afterAll(async () => {
        await agent?.stop();
        forwarder.stop();
        await onefold.stop();
      });

      const { skipped: _skipped, ...system } = realRedmine;
      ticketingSystemWalk(() => onefold, {
        ...system,
        start: () => startInRedmine(server, (url, init) => namespace.fetch(url, init)),
        bridge: async (api, accountId) => {
          const { id, credential } = await createGroup(api, accountId);
          const file = writeAgentFile(forwarder.url, { allow: allowed(server.url) });
          const env = { BRIDGE_CREDENTIAL: credential };
          agent = namespace.startNode([programOf('bridge-agent'), file], env);
          await agent.says(/"message":"connected"/);
          return { type: 'id', value: id };
        },
      });

      it('goes through the agent, whose log does not have the key, and not without it', async () => {
        const log = agent?.output() ?? '';
        expect(log.split('\n').filter((line) => line.includes('"status":200'))).not.toEqual([]);
        expect(log).not.toContain(server.apiKey);
        const { port } = new URL(server.url);
        for (const host of ['127.0.0.1', namespace.address])
          await expect(fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
            cause: { code: 'ECONNREFUSED' },
          });
      });
    });
  },
);
