import type { INestApplication } from '@nestjs/common';
import { measureChanges } from '#bus';
import { Metrics } from '#observe';
import { BridgeAgents } from './bridge-agents.js';
import { BridgeEndpoint } from './bridge-endpoint.js';
import { Callers } from './callers.js';
import type { GatewayAdapter } from './gateway-adapter.js';

/** Registers the metrics of the places that a gateway gives: docs/limits.md. */
export function measurePlaces(app: INestApplication, adapter: GatewayAdapter): void {
  const metrics = app.get(Metrics);
  const [endpoint, agents, callers] = [
    app.get(BridgeEndpoint),
    app.get(BridgeAgents),
    app.get(Callers),
  ];
  metrics.place('connection', () => adapter.connections);
  metrics.place('pending_agent', () => endpoint.pendingAgents);
  metrics.place('agent_request', () => agents.held.requests);
  metrics.place('known_caller', () => callers.held.known);
  measureChanges(metrics, 'tokens', callers.changes);
  metrics.place('token_lookup', () => callers.held.lookups);
  metrics.gauge(
    'onefold_agent_bytes_unread',
    'Bytes of responses of bridge agents that wait for their readers.',
    () => agents.held.unreadBytes,
  );
}
