import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { Metrics } from '#observe';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const folder = 'deploy/observability';
const { groups } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
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

/** The metrics that the sources declare, and those of Node; a histogram has three names. */
function knownMetrics(): Set<string> {
  const files = ['libs', 'apps'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => join(root, file)),
  );
  const declared = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(onefold_[a-z_]+)'/g)].map(([, name = '']) => name),
  );
  const ofNode = new Metrics('spec').registry.getMetricsAsArray().map(({ name }) => name);
  const names = [...declared, ...ofNode];
  const histograms = names.filter((name) => name.endsWith('_duration_seconds'));
  return new Set([
    ...names,
    ...histograms.flatMap((name) => ['_bucket', '_sum', '_count'].map((part) => name + part)),
  ]);
}

describe('the alert rules and the dashboard', () => {
  it.each(expressions)('%s is an expression of Prometheus', (_name, expression) => {
    expect(nodesOf(expression, 'error')).toEqual([]);
  });

  it('name metrics that there are', () => {
    const known = knownMetrics();
    const named = new Set(expressions.flatMap(([, expr]) => nodesOf(expr, 'Identifier')));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(20);
  });

  it('group and filter by labels that the metrics have', () => {
    const labels = new Set(expressions.flatMap(([, expr]) => nodesOf(expr, 'LabelName')));
    const known = [
      'kind',
      'le',
      'operation',
      'outcome',
      'place',
      'provider',
      'reason',
      'service',
      'status',
    ];
    expect([...labels].filter((label) => !known.includes(label))).toEqual([]);
  });

  it('show every metric of ours', () => {
    const shown = targets.map(([, expr]) => expr).join('\n');
    const ours = [...knownMetrics()].filter((name) =>
      /^onefold_.*_(?:total|seconds|bytes_held|waiting|running|failing|failed|delayed|held|in_flight)$/.test(
        name,
      ),
    );
    expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
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
