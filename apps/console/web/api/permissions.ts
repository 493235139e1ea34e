import { effect, signal } from '@preact/signals';
import type { ManagementSchemas, OperationId } from '#contract';
import { missingPermissions, send } from './client.js';
import { operationOf } from './operations.js';
import { session } from './session.js';

/** The session's token and its permissions; undefined until the service has said so. */
export const ownToken = signal<ManagementSchemas['OwnToken'] | undefined>(undefined);

/** Whether the service has said what the token permits, or has failed to. */
const isAnswered = signal(false);

effect(() => {
  const token = session.value?.token;
  ownToken.value = undefined;
  isAnswered.value = false;
  if (token === undefined) return;
  const take = (own: ManagementSchemas['OwnToken'] | undefined) => {
    if (session.peek()?.token !== token) return;
    ownToken.value = own;
    isAnswered.value = true;
  };
  send('tokens_get_self', {}, token).then(
    ({ result }) => take(result),
    // The screens show why the service does not answer; until it does, it decides about each call itself.
    () => take(undefined),
  );
});

/** Tells whether the session may call an operation, as far as is known. A permission may also be taken away later: then the service says 403. */
export function mayCall(id: OperationId): boolean {
  const { permission } = operationOf(id);
  if (permission === '') return true;
  if (missingPermissions.value.has(permission)) return false;
  return ownToken.value?.operations.includes(id) ?? true;
}

/** As `mayCall`, but false until the permissions are known: for what is shown although nobody asked for it. */
export function mayCallUnasked(id: OperationId): boolean {
  return isAnswered.value && mayCall(id);
}
