import { servedDomains } from '#contract';
import { type Observed, patiently } from '#observe';
import { type BusRole, subjectPermissions } from './nats-permissions.js';
import { type NatsSettings, natsHosts } from './nats-settings.js';
import { NatsTransport } from './nats-transport.js';
import { Refusals } from './refusals.js';
import { domainCallSubject, internalSubject } from '../subjects.js';
import type { MessageKeys } from '../messages/sealed-message.js';

/** Connects a separate process to the bus, with a health check for both directions, and lets the log name it as other processes do. */
export async function connectNats(
  settings: NatsSettings,
  { log, health, metrics }: Observed,
  { keys, stopping, ...role }: { keys: MessageKeys; stopping: AbortSignal } & BusRole,
): Promise<NatsTransport> {
  const refused = metrics.counterBy(
    'onefold_bus_refused_messages_total',
    'Refused messages of the bus, by reason.',
    'reason',
  );
  const refusals = new Refusals((reason) => refused.add(reason));
  const { publish: publishes } = subjectPermissions(role);
  const report = () => health.report();
  const options = { keys, role: role.role, publishes, refusals, report };
  const connecting = NatsTransport.connect(settings, options, stopping);
  const transport = await patiently(log, `NATS at ${natsHosts(settings)}`, connecting);
  health.add('bus', () => transport.checkReady());
  log.nameProcess(transport.processId);
  if (role.role === 'gateway')
    metrics.gaugeBy(
      'onefold_processes_heard',
      'Processes that the gateway can call: of the management service, and the connectors of each domain.',
      ['serves'],
      () => [
        [['management'], transport.countServing(internalSubject('management.ping'))],
        ...servedDomains.map((domain) => {
          const subject = domainCallSubject(domain, 'integrations.forget');
          return [[domain], transport.countServing(subject)] as const;
        }),
      ],
    );
  const { domains } = role;
  health.describe(() => ({ busKey: keys.current.id, ...(domains && { domains }) }));
  return transport;
}
