import type { Type } from '@nestjs/common';
import type { Provider } from '#connect';
import { TicketingModule } from '#domains/ticketing';
import { mockTicketing } from '#providers/mock-ticketing';

/** The modules of each domain. */
const modules: Readonly<Record<string, Type>> = { ticketing: TicketingModule };

export const domainNames: readonly string[] = Object.keys(modules);

/** @throws Error for a domain that there is none of. */
export function modulesOf(domains: readonly string[]): Type[] {
  return domains.map((name) => {
    const module = modules[name];
    if (module === undefined) throw new Error(`there is no domain ${name}`);
    return module;
  });
}

/** Every provider that is built in. */
export const providers: readonly Provider[] = [mockTicketing];
