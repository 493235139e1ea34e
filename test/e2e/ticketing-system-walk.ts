import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { Walker } from '#apps/provider-kit';
import { readWalk } from '../walks/read-walk.js';
import type { Client } from './client.js';
import type { Onefold } from './onefold.js';
import type { RunningSystem, TicketingSystem } from './ticketing-systems.js';

interface Meta {
  api?: { response?: { primary?: { response?: string } } };
}

/** Operations of ticketing on an external system, through a provider document. */
export function ticketingSystemWalk(onefold: () => Onefold, system: TicketingSystem): void {
  const { name, skipped } = system;
  const title = skipped === undefined ? name : `${name} (not here: ${skipped})`;
  (skipped === undefined ? describe : describe.skip)(title, () => walk(onefold, system));
}

function walk(onefold: () => Onefold, system: TicketingSystem): void {
  const { without, body, closed, unknownId } = system;
  let running: RunningSystem;
  let tickets: Client;
  let place: { accountId: string; integrationId: string };
  let selector: { bridge_selector?: { type: 'id'; value: string } };
  const has = (id: OperationId) => without[id] === undefined;

  beforeAll(async () => {
    running = await system.start();
    const { api } = onefold();
    const slug = system.name.toLowerCase().replace(/[^a-z]+/g, '-');
    const { account } = (await api.call('accounts_create', { body: { name: `systems-${slug}` } }))
      .result;
    const bridge = await system.bridge?.(api, account.id);
    selector = bridge === undefined ? {} : { bridge_selector: bridge };
    const { integration, token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: {
          name: slug,
          provider_config: running.config as never,
          ...selector,
        },
      })
    ).result;
    place = { accountId: account.id, integrationId: integration.id };
    tickets = api.as(token.access.secret);
  });
  afterAll(() => running.stop());

  const data = readWalk('ticketing');
  const offered = data.tests.filter(({ when }) => when === undefined || has(when));
  it.each(offered.map((test) => [test.name, test] as const))('%s', async (_name, test) => {
    const values = { ticket: body, closed, unknown_id: unknownId };
    const { secret } = running;
    const walker = new Walker(tickets, {
      values,
      offers: has,
      hasProvider: secret !== undefined,
    });
    await walker.run(test);
  });

  it('shows its own answer without the secret, and logs none', async () => {
    const { call, query } = data.shown;
    const { meta } = (await tickets.call(call, {
      query: { ...query, meta: ['api/response(all)'] },
    })) as { meta?: Meta };
    const shown = JSON.stringify(meta);
    expect(meta?.api?.response?.primary?.response).toContain('{');
    if (running.secret === undefined) return;
    expect(shown).not.toContain(running.secret);
    for (const { output } of Object.values(onefold().processes))
      expect(output()).not.toContain(running.secret);
  });

  it('is verified, and refuses a wrong credential by name', async () => {
    const { api } = onefold();
    await api.call('integrations_verify_existing', { path: place });
    if (running.secret === undefined) return;
    const credential = { ...(running.config['credential'] as object), secret: 'not-the-secret' };
    const problem = await api.refuse('integrations_verify', 400, {
      path: { accountId: place.accountId },
      body: {
        integration: {
          name: 'wrong',
          provider_config: { ...running.config, credential } as never,
          ...selector,
        },
      },
    });
    expect(problem.message).toMatch(/refuses|does not permit/);
  });

  it("keeps to the vendor's description, both ways", async () => {
    expect(await running.violations()).toEqual([]);
  });

  const missing = Object.entries(without);
  if (missing.length === 0) return;
  it.each(missing)('answers 501 to %s: %s', async (id) => {
    await tickets.refuse(id as OperationId, 501, {
      path: Object.fromEntries(
        ['ticketId', 'noteId', 'attachmentId', 'commentId', 'escalationPolicyId'].map((key) => [
          key,
          '1',
        ]),
      ) as never,
      ...(id in data.bodies ? { body: data.bodies[id as OperationId] as never } : {}),
    });
  });
}
