import { type CompiledDocument, suggestName } from '@onefold/mapping';
import type { CompileContext } from './compile-context.js';
import { compileOperation } from './compile-operation.js';
import type { CompiledOperation, CompiledWebhooks } from './compiled-provider.js';
import { domainOf } from './manifest.js';
import type { WebhookCallSource } from './source.js';
import { messageNames } from './visible-names.js';

const domains = ['ticketing', 'custom'];

/** True if a provider of this type can have webhooks: their messages are about tickets. */
export function canHaveWebhooks(type: string): boolean {
  return domains.includes(domainOf(type));
}

/** Compiles how the provider reports changes; undefined if it reports none. @param types the ids of the document's providers */
export function compileWebhooks(
  context: CompileContext,
  types: readonly string[],
): CompiledWebhooks | undefined {
  const { reader, mappings } = context;
  const source = context.source.webhooks;
  if (source === undefined) return undefined;
  const place = ['webhooks'];
  if (!types.some(canHaveWebhooks))
    reader.fault(place, 'only providers of ticketing and of custom have webhooks');
  if (source.register === undefined && source.instructions === undefined)
    reader.fault(
      place,
      'nothing says how a webhook is made',
      'Write register, or instructions for making it by hand.',
    );
  if ((source.register === undefined) !== (source.unregister === undefined))
    reader.fault(place, 'register and unregister belong together');
  if (source.register !== undefined && source.register.result === undefined)
    reader.fault(
      [...place, 'register'],
      'there is no result',
      'Add result: an object with the id.',
    );
  if (!mappings.has(source.mapping))
    reader.fault(
      [...place, 'mapping'],
      `there is no mapping "${source.mapping}"`,
      suggestName(source.mapping, mappings.keys()),
    );
  const names = messageNames(context.source);
  const compiled = {
    source,
    register: compileCalls(context, 'register', source.register),
    inspect: compileCalls(context, 'inspect', source.inspect),
    unregister: compileCalls(context, 'unregister', source.unregister),
    content: reader.query([...place, 'signature', 'content'], names),
    timestamp: reader.query([...place, 'timestamp', 'value'], names),
    id: reader.query([...place, 'id'], names),
  };
  return {
    ...compiled,
    get mapping() {
      return mappings.get(source.mapping) as CompiledDocument; // known, and with errors nothing is returned
    },
  };
}

function compileCalls(
  context: CompileContext,
  name: 'register' | 'inspect' | 'unregister',
  source: WebhookCallSource | undefined,
): CompiledOperation | undefined {
  if (source === undefined) return undefined;
  // Without a result, calls end like a delete.
  const action = source.result === undefined ? 'delete' : 'create';
  return compileOperation(context, ['webhooks', name], `webhooks_${name}`, {
    action,
    resource: 'webhook',
    ...source,
  });
}
