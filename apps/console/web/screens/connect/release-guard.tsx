import { useState } from 'preact/hooks';
import type { Provider } from '../../parts/provider.js';
import { consequenceOf, isReleased } from '../../parts/released.js';
import { TypedConfirmation } from '../../parts/typed-confirmation.js';
import type { Account } from './account.js';

/** Asks before a customer in production is connected with a provider that is not for production. */
export function useReleaseGuard({ environment, name, fullname }: Account, provider: Provider) {
  const [work, setWork] = useState<() => Promise<void>>();
  const isRisky = environment === 'prod' && !isReleased(provider);
  const onClose = () => setWork(undefined);
  return {
    /** Does the work, or asks first and does it then. */
    ask: (asked: () => Promise<void>) => {
      if (isRisky) setWork(() => asked);
      else void asked();
    },
    note: isRisky && (
      <p class="note warn">
        <strong>
          <bdi>{fullname}</bdi> is in production, and {provider.fullname} is not for production.
        </strong>{' '}
        {consequenceOf(provider.id)}
      </p>
    ),
    dialog: work && (
      <TypedConfirmation
        operation="integrations_create"
        title={`Connect ${provider.fullname} for a customer in production?`}
        name={name}
        action="Connect all the same"
        onClose={onClose}
        work={async () => {
          onClose();
          await work();
        }}
      >
        <p>{consequenceOf(provider.id)}</p>
        <p>To try it out, connect it for an account in test instead.</p>
      </TypedConfirmation>
    ),
  };
}
