import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { webhookEvents } from '#contract';

const folder = new URL('../', import.meta.url);

interface Source {
  webhooks?: { event_types?: string[]; mapping: string };
}

const reporting = readdirSync(folder).flatMap((name) => {
  const file = new URL(`${name}/provider.yaml`, folder);
  if (!existsSync(file)) return [];
  const { webhooks } = parse(readFileSync(file, 'utf8')) as Source;
  return webhooks === undefined ? [] : [{ name, webhooks }];
});

describe('event_types of a provider with webhooks', () => {
  it.each(reporting)('are those that the mapping of $name makes', ({ name, webhooks }) => {
    const file = new URL(`${name}/mappings/${webhooks.mapping}.yaml`, folder);
    const text = readFileSync(file, 'utf8');
    const made = webhookEvents.filter((event) => text.includes(`"${event}"`));
    expect(made.length).toBeGreaterThan(0);
    expect([...(webhooks.event_types ?? [])].sort()).toEqual([...made].sort());
  });
});
