import { expect, it } from '@jest/globals';
import { Metrics } from '#observe';
import { BusiestOrganizations } from './busiest-organizations.js';

async function shown(metrics: Metrics): Promise<Record<string, number>> {
  const text = await metrics.registry.metrics();
  const lines = text.matchAll(/^onefold_organization_(\w+)\{organization="(\w+)",.*\} (\S+)$/gm);
  return Object.fromEntries(
    [...lines].map(([, name, id, value]) => [`${name} ${id}`, Number(value)]),
  );
}

it('shows the ten organizations that took the most time in the last minute, and all others together', async () => {
  const metrics = new Metrics('spec');
  let now = 0;
  const organizations = new BusiestOrganizations(metrics, () => now);
  for (let n = 1; n <= 12; n += 1) organizations.count(`org_${n}`, n === 12 ? 503 : 200, n);
  organizations.count(undefined, 401, 0.5);
  expect(await shown(metrics)).toEqual({});
  now = 60_000;
  const found = await shown(metrics);
  expect(Object.keys(found)).toHaveLength(3 * 11);
  expect(found).toMatchObject({
    'request_seconds org_12': 12,
    'failures org_12': 1,
    'failures org_3': 0,
    'requests other': 3,
    'request_seconds other': 3.5,
  });
  expect(found).not.toHaveProperty('requests org_2');
  now = 180_001;
  expect(await shown(metrics)).toEqual({});
});

it('counts no more than ten thousand organizations apart', async () => {
  const metrics = new Metrics('spec');
  let now = 0;
  const organizations = new BusiestOrganizations(metrics, () => now);
  for (let n = 0; n < 10_001; n += 1) organizations.count(`org_${n}`, 200, n === 10_000 ? 99 : 1);
  now = 60_000;
  expect(await shown(metrics)).toMatchObject({ 'requests other': 9_991 });
});
