import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { webhookEvents } from '#contract';

const folder = new URL('../', import.meta.url);

interface Source {
  mappings?: Record<string, unknown>;
  webhooks?: { event_types?: string[]; mapping: string };
}

/** The text of a mapping that stands in the document of its provider, or in the file that the document names. */
function textOf(provider: string, mapping: unknown): string {
  if (typeof mapping !== 'string') return JSON.stringify(mapping);
  return readFileSync(new URL(`${provider}/${mapping}`, folder), 'utf8');
}

const reporting = readdirSync(folder).flatMap((name) => {
  const file = new URL(`${name}/provider.yaml`, folder);
  if (!existsSync(file)) return [];
  const { mappings, webhooks } = parse(readFileSync(file, 'utf8')) as Source;
  if (webhooks === undefined) return [];
  return [{ name, webhooks, text: textOf(name, mappings?.[webhooks.mapping]) }];
});

describe('event_types of a provider with webhooks', () => {
  it.each(reporting)('are those that the mapping of $name makes', ({ webhooks, text }) => {
    const made = webhookEvents.filter((event) => new RegExp(`\\b${event}\\b`).test(text));
    expect(made.length).toBeGreaterThan(0);
    expect([...(webhooks.event_types ?? [])].sort()).toEqual([...made].sort());
  });
});
