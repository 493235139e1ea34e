import { describe, expect, it } from '@jest/globals';
import { evaluate } from './promql/evaluate.js';
import { Installation } from './promql/installation.js';
import { readMetricsPage } from './promql/metrics-page.js';
import { RecordedSeries } from './promql/recorded-series.js';
import { readRules, replayRules } from './promql/replay-rules.js';

// Alerts of an operator's bad day: series as processes print them, through the rules of deploy/observability/alerts.yaml.

const rules = readRules();
const quietSeconds = 600;
const maxFireSeconds = 120;

/** Lets an outage begin after a quiet time. @returns the alerts that fire within two minutes of it, by severity */
function outage(
  begin: (installation: Installation) => void,
  each?: (installation: Installation, seconds: number) => void,
  { begun = quietSeconds, seconds = maxFireSeconds } = {},
) {
  const installation = new Installation().run(begun);
  begin(installation);
  installation.run(seconds + 15, () => each?.(installation, installation.now - begun));
  const fired = replayRules(rules, installation.series, { from: 0, to: begun + seconds });
  const named = ({ alert, labels }: (typeof fired)[number]) =>
    [alert, labels['service'] ?? labels['serves'] ?? labels['provider']].filter(Boolean).join(' ');
  expect(fired.filter(({ at }) => at < begun).map(named)).toEqual([]);
  const of = (severity: string) => fired.filter((one) => one.severity === severity).map(named);
  return { pages: of('page'), warnings: of('warn') };
}

/** Lets all calls at gateways end with a status. */
function failAll(installation: Installation, status: number, share = 1): void {
  for (const gateway of installation.of('gateway'))
    gateway.requests = { ...gateway.requests, 200: 10 * (1 - share), [status]: 10 * share };
}

function kill(installation: Installation, ...services: Parameters<Installation['of']>): void {
  for (const process of installation.of(...services)) process.isUp = false;
}

function databaseFails(installation: Installation, status: number, share = 1): void {
  for (const one of installation.of('management')) one.failing = ['database'];
  for (const one of installation.of('connector')) one.failing = ['database of records'];
  for (const one of installation.of('operations')) one.failing = ['database of jobs'];
  for (const one of installation.of('management', 'operations')) one.oldestTask = undefined;
  failAll(installation, status, share);
}

describe('within two minutes somebody is woken', () => {
  it('when there is no gateway', () => {
    expect(outage((all) => kill(all, 'gateway')).pages).toContain('OnefoldGone gateway');
  });

  it('when there is no management service, although nobody calls', () => {
    const { pages } = outage((all) => {
      kill(all, 'management');
      for (const one of all.of('gateway', 'connector', 'operations')) one.failing = ['management'];
      for (const gateway of all.of('gateway')) {
        gateway.heard['management'] = 0;
        gateway.requests = {};
      }
    });
    expect(pages).toEqual(
      expect.arrayContaining([
        'OnefoldGone management',
        'OnefoldNotReady gateway',
        'OnefoldDomainGone management',
      ]),
    );
  });

  it('when the connector of one domain is gone, and for no domain that was never there', () => {
    const { pages } = outage((all) => {
      const connector = all.processes['connector of ticketing'];
      if (connector) connector.isUp = false;
      for (const gateway of all.of('gateway')) gateway.heard['ticketing'] = 0;
    });
    expect(pages).toEqual(['OnefoldDomainGone ticketing']);
  });

  it('when there is no worker', () => {
    const { pages, warnings } = outage(
      (all) => kill(all, 'operations'),
      (all, seconds) => all.of('management').forEach((one) => (one.oldestTask = seconds)),
    );
    expect(pages).toEqual(['OnefoldGone operations']);
    expect(warnings).toEqual(['OnefoldQueueGrows']);
  });

  it('when NATS is gone', () => {
    const { pages } = outage((all) => {
      for (const one of Object.values(all.processes)) one.failing = ['bus'];
      failAll(all, 503);
    });
    expect(pages).toEqual(
      expect.arrayContaining([
        'OnefoldFails',
        'OnefoldNotReady gateway',
        'OnefoldNotReady management',
      ]),
    );
  });

  it.each([
    ['is gone', 503, 1],
    ['hangs', 504, 1],
    ['is full', 503, 0.05],
  ])('when the database %s', (_how, status, share) => {
    const { pages } = outage((all) => databaseFails(all, status, share));
    expect(pages).toEqual(
      expect.arrayContaining([
        'OnefoldFails',
        'OnefoldNotReady management',
        'OnefoldNotReady operations',
      ]),
    );
  });
});

describe('within two minutes there is a warning, and nobody is woken', () => {
  it.each([
    ['a gateway has another key', 'gateway', 'bus'],
    ['the clock of a gateway is off', 'gateway', 'management'],
    ['the clock of a management service is off', 'management', 'database'],
  ] as const)('when %s', (_what, service, check) => {
    const { pages, warnings } = outage((all) => {
      all.add('another', service).failing = [check];
    });
    expect([pages, warnings]).toEqual([[], [`OnefoldProcessNotReady ${service}`]]);
  });

  it('when the queue grows although a worker runs', () => {
    const { pages, warnings } = outage(
      () => undefined,
      (all, seconds) =>
        all.of('management', 'operations').forEach((one) => (one.oldestTask = seconds)),
    );
    expect([pages, warnings]).toEqual([[], ['OnefoldQueueGrows']]);
  });

  it('when a provider is down, whose calls end with 502, 503 and 504', () => {
    const { pages, warnings } = outage((all) => {
      const connector = all.processes['connector of ticketing'];
      if (connector)
        connector.operations = {
          'ticketing_jira failed': 1,
          'ticketing_jira unavailable': 7,
          'ticketing_jira late': 1,
        };
      for (const gateway of all.of('gateway'))
        gateway.requests = { 200: 5.5, 502: 0.5, 503: 3.5, 504: 0.5 };
    });
    expect([pages, warnings]).toEqual([[], ['OnefoldProviderFails ticketing_jira']]);
  });
});

describe('within a quarter of an hour there is a warning, and nobody is woken', () => {
  it('when gateways do not hear of changes of tokens, but not while that passes', () => {
    const begin = (all: Installation) => {
      for (const gateway of all.of('gateway')) gateway.changes = 'unheard';
    };
    const end = (all: Installation, seconds: number) => {
      if (seconds >= 300) for (const gateway of all.of('gateway')) gateway.changes = 'certain';
    };
    const lasting = outage(begin, undefined, { seconds: 900 });
    expect([lasting.pages, lasting.warnings]).toEqual([[], ['OnefoldChangesUnknown gateway']]);
    const passing = outage(begin, end, { seconds: 900 });
    expect([passing.pages, passing.warnings]).toEqual([[], []]);
  });
});

describe('nobody is woken', () => {
  it("by one customer's dead provider, beside others that answer", () => {
    const { pages, warnings } = outage(
      (all) => {
        const connector = all.processes['connector of ticketing'];
        if (connector)
          connector.operations = {
            'ticketing_jira answered': 9,
            'ticketing_jira failed': 0.2,
            'ticketing_jira unavailable': 1.4,
          };
        for (const gateway of all.of('gateway'))
          gateway.requests = { 200: 9.2, 502: 0.1, 503: 0.7 };
      },
      undefined,
      { seconds: 3_600 },
    );
    expect([pages, warnings]).toEqual([[], []]);
  });

  it('by a restart of NATS or of a single connector', () => {
    const { pages } = outage(
      (all) => failAll(all, 503),
      (all, seconds) => {
        if (seconds === 15) failAll(all, 503, 0);
        const connector = all.processes['connector of ticketing'];
        if (connector) connector.isUp = seconds > 15;
        for (const gateway of all.of('gateway')) gateway.heard['ticketing'] = seconds > 15 ? 1 : 0;
      },
      { seconds: 600 },
    );
    expect(pages).toEqual([]);
  });

  it('on a quiet day, and nothing warns', () => {
    const day = new Installation();
    day.run(4 * 3_600, () => {
      const isNight = day.now % 7_200 < 3_600;
      for (const gateway of day.of('gateway'))
        gateway.requests = isNight ? { 200: 0.01 } : { 200: 10, 404: 0.2, 502: 0.002 };
      for (const one of day.of('management', 'operations')) one.oldestTask = day.now % 20;
    });
    expect(replayRules(rules, day.series, { from: 0, to: day.now })).toEqual([]);
  });
});

describe('the series', () => {
  it('are those of the page of metrics', () => {
    const listed = readMetricsPage();
    const { shapes } = new Installation().run(15).series;
    const wrong = [...shapes].filter(([name, labels]) => {
      const known = listed.get(name.replace(/_(?:bucket|count|sum)$/, ''));
      const others = [...labels].filter((label) => !['service', 'instance', 'le'].includes(label));
      return name.startsWith('onefold_') && others.sort().join() !== known?.join();
    });
    expect(wrong).toEqual([]);
  });
});

describe('the evaluator', () => {
  const series = new RecordedSeries();
  for (let at = 0; at <= 120; at += 15)
    series.scrape(at, 'one', [
      { labels: { __name__: 'requests', status: '200' }, value: at > 60 ? at - 75 : at * 2 },
      { labels: { __name__: 'requests', status: '503' }, value: at },
      { labels: { __name__: 'depth' }, value: at === 120 ? 7 : 3 },
    ]);
  series.scrape(135, 'one', undefined);
  const valueOf = (expression: string, at = 120) => {
    const found = evaluate(expression, series, at);
    return Array.isArray(found)
      ? found.map(({ labels, value }) => [labels['status'] ?? '', Math.round(value * 1e4) / 1e4])
      : found;
  };

  // The values are those of promtool 2.42 for the same series.
  it.each<[string, unknown]>([
    [
      'rate(requests[1m])',
      [
        ['200', 0.75],
        ['503', 1],
      ],
    ],
    ['increase(requests{status="503"}[2m])', [['503', 120]]],
    ['sum(rate(requests{status=~"5.."}[1m])) / sum(rate(requests[1m]))', [['', 0.5714]]],
    ['max_over_time(depth[1m])', [['', 7]]],
    ['requests > 100', [['503', 120]]],
    [
      'sum by (status) (requests) / ignoring (status) group_left sum(requests)',
      [
        ['200', 0.2727],
        ['503', 0.7273],
      ],
    ],
    [
      'absent(nothing) or requests',
      [
        ['', 1],
        ['200', 45],
        ['503', 120],
      ],
    ],
    ['requests unless requests{status="200"}', [['503', 120]]],
    ['topk(1, requests)', [['503', 120]]],
    [
      'rate(requests[2m])',
      [
        ['200', 1.375],
        ['503', 1],
      ],
    ],
    [
      'increase(requests[45s])',
      [
        ['200', 45],
        ['503', 45],
      ],
    ],
  ])('evaluates %s', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected);
  });

  it('sees no series of a process that does not answer any more', () => {
    expect(valueOf('depth', 135)).toEqual([]);
    expect(valueOf('up', 135)).toEqual([['', 0]]);
    expect(valueOf('absent_over_time(depth[1m])', 135)).toEqual([]);
    expect(valueOf('absent_over_time(depth[1m])', 195)).toEqual([['', 1]]);
  });

  it('refuses what it does not know', () => {
    expect(() => valueOf('deriv(depth[1m])')).toThrow('deriv is not evaluated');
  });
});
