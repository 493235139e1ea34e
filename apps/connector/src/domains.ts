import type { Type } from '@nestjs/common';
import { handledOperations } from '#bus';
import { type OperationId, operations, servedDomains } from '#contract';
import { CustomModule } from '#domains/custom';

/** The modules of operations that are more than one provider call, by domain. */
const modules: Readonly<Record<string, Type>> = {
  custom: CustomModule,
};

const served = [...operations.values()].filter(
  ({ side, state }) => side === 'connector' && state === 'served',
);

/** The modules and operations that a process with some domains binds to the bus. */
export interface Bindings {
  modules: Type[];
  /** Operations that are a single provider call. */
  operations: OperationId[];
}

/**
 * Integrations of every domain can be called through the API of `custom`, and those of `custom` through the API of every domain.
 * @throws Error for an unknown domain
 */
export function bindingsOf(domains: readonly string[]): Bindings {
  const unknown = domains.find((name) => !servedDomains.includes(name));
  if (unknown !== undefined) throw new Error(`unknown domain "${unknown}"`);
  const wanted = domains.includes('custom') ? servedDomains : [...domains, 'custom'];
  const own = wanted.flatMap((name) => modules[name] ?? []);
  const handled = new Set(own.flatMap(handledOperations));
  return {
    modules: own,
    operations: served
      .filter(({ id, group }) => wanted.includes(group) && !handled.has(id))
      .map(({ id }) => id),
  };
}
