import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { Metrics } from '#observe';
import { readMetricsPage } from './promql/metrics-page.js';
import { readRules } from './promql/replay-rules.js';

interface Panel {
  id: number;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const folder = 'deploy/observability';
const rules = readRules();
const histograms = new Set([
  'onefold_request_duration_seconds',
  'onefold_provider_operation_duration_seconds',
  'onefold_provider_wait_seconds',
]);
const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: Panel[];
};
const targets = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);
const expressions = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  // Grafana puts the interval in.
  ...targets.map(([title, expr]): [string, string] => [
    title,
    expr.replaceAll('$__rate_interval', '5m'),
  ]),
];

/** The texts of the nodes of one kind in an expression of Prometheus. */
function nodesOf(expression: string, kind: string): string[] {
  const found: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (kind === 'error' ? type.isError : name === kind) found.push(expression.slice(from, to));
    },
  });
  return found;
}

/** The labels of each metric: ours by docs/metrics.md, which test/e2e/operate.spec.ts holds to what processes print, and those of Node. */
function knownMetrics(): Map<string, readonly string[]> {
  const ofNode = new Metrics('spec').registry.getMetricsAsArray().map(({ name }) => name);
  const known = new Map<string, readonly string[]>(ofNode.map((name) => [name, []]));
  for (const [name, labels] of readMetricsPage()) {
    known.set(name, labels);
    const parts = histograms.has(name) ? ['_bucket', '_sum', '_count'] : [];
    for (const part of parts) known.set(name + part, [...labels, 'le']);
  }
  return known;
}

describe('the alert rules and the dashboard', () => {
  it.each(expressions)('%s is an expression of Prometheus', (_name, expression) => {
    expect(nodesOf(expression, 'error')).toEqual([]);
  });

  it('name metrics that processes print', () => {
    const known = knownMetrics();
    const named = new Set(expressions.flatMap(([, expr]) => nodesOf(expr, 'Identifier')));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(40);
  });

  it('group and filter by labels of the metrics that they name', () => {
    const known = knownMetrics();
    const wrong = expressions.flatMap(([title, expr]) => {
      const metrics = nodesOf(expr, 'Identifier');
      const labels = new Set(['service', ...metrics.flatMap((name) => known.get(name) ?? [])]);
      const unknown = nodesOf(expr, 'LabelName').filter((label) => !labels.has(label));
      return unknown.map((label) => `${title}: ${label}`);
    });
    expect(wrong).toEqual([]);
  });

  it('show every metric of ours', () => {
    const shown = targets.map(([, expr]) => expr).join('\n');
    expect([...readMetricsPage().keys()].filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('say what to do about every alert, and about no other', () => {
    const headings = readFileSync('docs/alarms.md', 'utf8').match(/^### \w+$/gm) ?? [];
    expect(headings.map((line) => line.slice(4))).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/alarms.md#${alert.toLowerCase()}`);
  });

  it('have panels with ids of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
