import type { Type } from '@nestjs/common';
import { bringProviders, type Provider } from '#connect';
import { CustomModule } from '#domains/custom';
import { StorageModule } from '#domains/storage';
import { TicketingModule } from '#domains/ticketing';
import { mockTicketing } from '#providers/mock-ticketing';

/** The modules of each domain. */
const modules: Readonly<Record<string, Type>> = {
  custom: CustomModule,
  storage: StorageModule,
  ticketing: TicketingModule,
};

export const domainNames: readonly string[] = Object.keys(modules);

/**
 * Integrations of every domain may be called through the API of `custom`, and those of `custom` through that of every domain.
 * @throws Error for a domain that there is none of
 */
export function modulesOf(domains: readonly string[]): Type[] {
  const unknown = domains.find((name) => modules[name] === undefined);
  if (unknown !== undefined) throw new Error(`there is no domain ${unknown}`);
  const wanted = domains.includes('custom') ? domainNames : [...domains, 'custom'];
  return wanted.flatMap((name) => modules[name] ?? []);
}

/** Every provider that is built in. */
export const providers: readonly Provider[] = [
  mockTicketing,
  ...bringProviders(new URL('../../../libs/providers/', import.meta.url)),
];
