import { effect, signal } from '@preact/signals';
import type { ManagementSchemas, OperationId } from '#contract';
import { missingPermissions, send } from './client.js';
import { operationOf } from './operations.js';
import { session } from './session.js';

/** The session's token and its permissions; undefined until the service has said so. */
export const ownToken = signal<ManagementSchemas['OwnToken'] | undefined>(undefined);

effect(() => {
  const token = session.value?.token;
  ownToken.value = undefined;
  if (token === undefined) return;
  send('tokens_get_self', {}, token).then(
    ({ result }) => {
      if (session.peek()?.token === token) ownToken.value = result;
    },
    // The screens show why the service does not answer; until it does, it decides about each call itself.
    () => undefined,
  );
});

/** Tells whether the session may call an operation, as far as is known. A permission may also be taken away later: then the service says 403. */
export function mayCall(id: OperationId): boolean {
  const { permission } = operationOf(id);
  if (permission === '') return true;
  if (missingPermissions.value.has(permission)) return false;
  return ownToken.value?.operations.includes(id) ?? true;
}
