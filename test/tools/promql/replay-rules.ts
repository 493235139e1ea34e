import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { evaluate } from './evaluate.js';
import { keyOf, type Labels, type RecordedSeries } from './recorded-series.js';

/** A rule of deploy/observability/alerts.yaml. */
export interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: 'page' | 'warn' };
  annotations: { summary: string; runbook: string };
}

/** An alert that has fired. */
export interface Fired {
  alert: string;
  severity: 'page' | 'warn';
  labels: Labels;
  /** Seconds. */
  at: number;
}

export function readRules(): Rule[] {
  const { groups } = parse(readFileSync('deploy/observability/alerts.yaml', 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

/** Evaluates rules over recorded series as Prometheus does, every 15 s. @returns each alert when it fires for the first time */
export function replayRules(
  rules: readonly Rule[],
  series: RecordedSeries,
  { from, to, everySeconds = 15 }: { from: number; to: number; everySeconds?: number },
): Fired[] {
  const fired: Fired[] = [];
  for (const {
    alert,
    expr,
    for: wait,
    labels: { severity },
  } of rules) {
    const waitSeconds = Number.parseInt(wait, 10) * (wait.endsWith('m') ? 60 : 1);
    let pending = new Map<string, number>();
    const known = new Set<string>();
    for (let at = from; at <= to; at += everySeconds) {
      const value = evaluate(expr, series, at);
      if (!Array.isArray(value)) throw new Error(`${alert} is not a vector`);
      const next = new Map<string, number>();
      for (const { labels } of value) {
        const key = keyOf(labels);
        const since = pending.get(key) ?? at;
        next.set(key, since);
        if (at - since < waitSeconds || known.has(key)) continue;
        known.add(key);
        fired.push({ alert, severity, labels, at });
      }
      pending = next;
    }
  }
  return fired;
}
