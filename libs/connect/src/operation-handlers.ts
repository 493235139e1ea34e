import { Controller, Inject, type Type } from '@nestjs/common';
import { Handles } from '#bus';
import type { Call, OperationId, Reply } from '#contract';
import { Connector } from './connector.js';

/** Makes a controller that runs each of these operations as one call of the provider behind the caller's integration. */
export function operationHandlers(ids: readonly OperationId[]): Type {
  @Controller()
  class OperationHandlers {
    constructor(@Inject(Connector) readonly connector: Connector) {}
  }
  const { prototype } = OperationHandlers;
  for (const id of ids) {
    // Nest keeps the operation of a handler at its function, so each operation needs a function of its own.
    const descriptor = {
      configurable: true,
      value: async function (this: OperationHandlers, call: Call): Promise<Reply<OperationId>> {
        return await this.connector.run(call);
      },
    };
    Handles(id)(prototype, id, descriptor);
    Object.defineProperty(prototype, id, descriptor);
  }
  return OperationHandlers;
}
