import { applyDecorators, type Type, UseFilters } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { MessagePattern } from '@nestjs/microservices';
import { PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import type { Call, OperationId, Reply } from '#contract';
import { PassErrorsOn } from './pass-errors-on.js';
import type { InternalCalls, InternalContext } from './internal-calls.js';

type Method<Input, Output, Context = never> = <
  T extends (input: Input, context: Context) => Promise<Output> | Output,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/** Binds a controller's method to an operation of the contract: it gets the operation's Call and returns its Reply. */
export function Handles<Id extends OperationId>(id: Id): Method<Call<Id>, Reply<Id>> {
  return applyDecorators(MessagePattern(id), UseFilters(PassErrorsOn));
}

/** Returns the operations that the controllers of a module handle. */
export function handledOperations(module: Type): OperationId[] {
  const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as Type[];
  return controllers
    .flatMap(({ prototype }) => Object.values(Object.getOwnPropertyDescriptors(prototype)))
    .filter(({ value }) => typeof value === 'function')
    .flatMap(
      ({ value }) =>
        (Reflect.getMetadata(PATTERN_METADATA, value as object) ?? []) as OperationId[],
    );
}

/** Binds a controller's method to an internal call: it gets its input, and by `@Payload()` and `@Ctx()` its {@link InternalContext} too. */
export function Serves<Name extends keyof InternalCalls>(
  name: Name,
): Method<InternalCalls[Name]['input'], InternalCalls[Name]['output'], InternalContext> {
  return applyDecorators(MessagePattern(`internal:${name}`), UseFilters(PassErrorsOn));
}
