import { expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { ApiError, badRequest } from '#contract';
import { Metrics } from '#observe';
import { ProviderMetrics } from './provider-metrics.js';

it('counts operations by provider and by whose fault their failure is', async () => {
  const metrics = new Metrics('spec');
  const counted = new ProviderMetrics(metrics);
  const jira = { providerType: 'ticketing_jira' } as ResolvedIntegration;
  const own = { providerType: 'custom_acme', providerDocument: {} } as ResolvedIntegration;
  const wrong = badRequest({ location: 'body', pointer: '/name', message: 'is missing' });
  const errors = [undefined, wrong, ...[429, 502, 503, 504].map((one) => new ApiError(one, 'no'))];
  for (const error of errors)
    counted.note({ integration: jira, isJob: false }, performance.now(), error);
  counted.note({ integration: own, isJob: true }, performance.now(), new Error('a bug'));
  counted.note({ integration: own, isJob: true }, performance.now(), new ApiError(503, 'no'));
  const text = await metrics.registry.metrics();
  const counts = [...text.matchAll(/_duration_seconds_count\{([^}]*outcome[^}]*)\} (\d+)/g)];
  expect(
    counts.map(([, labels = '', count]) => [labels.replace('service="spec",', ''), count]),
  ).toEqual([
    ...['answered', 'caller', 'limited', 'failed', 'unavailable', 'late'].map((outcome) => [
      `provider="ticketing_jira",outcome="${outcome}"`,
      '1',
    ]),
    ['provider="custom",outcome="service"', '1'],
    ['provider="custom",outcome="unavailable"', '1'],
  ]);
  expect(text).toMatch(/^onefold_provider_unanswered_calls_total\{.*\} 2$/m);
});

it('shows waits and open circuits by provider', async () => {
  const metrics = new Metrics('spec');
  const measured = new ProviderMetrics(metrics);
  measured.watch({
    openCircuits: [
      { of: 'host', label: 'ticketing_jira' },
      { of: 'organization', label: 'ticketing_jira' },
      { of: 'organization', label: 'ticketing_jira' },
    ],
  });
  measured.noteWait({ label: 'custom', for: 'limit', seconds: 2, outcome: 'granted' });
  const text = await metrics.registry.metrics();
  expect(text).toMatch(
    /^onefold_provider_circuits_open\{provider="ticketing_jira",of="organization",.*\} 2$/m,
  );
  expect(text).toMatch(
    /^onefold_provider_wait_seconds_sum\{.*provider="custom",for="limit",outcome="granted"\} 2$/m,
  );
});
