import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { checked, type Step, type WalkTest } from '#apps/provider-kit';
import type { OperationId } from '#contract';

/** The walk of a domain as data, which runs on every system of the domain. */
export interface Walk {
  domain: string;
  tests: WalkTest[];
  shown: Step;
  bodies: Partial<Record<OperationId, unknown>>;
}

export function readWalk(domain: string): Walk {
  const file = new URL(`../../../test/walks/${domain}.yaml`, import.meta.url);
  const walk = parse(readFileSync(file, 'utf8')) as Walk;
  checked(walk.tests);
  return walk;
}
