import type { OperationId, Result } from '#contract';
import { useRead } from '../api/query.js';
import { counted, maxCounted } from './counted.js';
import { Loaded } from './loaded.js';
import { EndingTokens } from './tokens/ending-tokens.js';
import { TypedDeletion } from './typed-deletion.js';
import { deleteRecord } from './use-deletion.js';

const maxNamed = 8;

interface Props {
  account: Result<'accounts_list'>['result'][number];
  onClose: () => void;
  onDeleted?: () => void;
}

/** Deletes an account, once its name was typed; says what is deleted with it. */
export function DeleteAccount({ account, onClose, onDeleted }: Props) {
  const { id, name, fullname } = account;
  const remove = async (signal: AbortSignal) => {
    const lists: OperationId[] = ['accounts_list', 'integrations_list', 'status_list'];
    await deleteRecord('accounts_delete', { path: { accountId: id }, fullname, lists }, signal);
    onClose();
    onDeleted?.();
  };
  return (
    <TypedDeletion
      operation={'accounts_delete'}
      fullname={fullname}
      name={name}
      remove={remove}
      onClose={onClose}
      action="Delete account"
    >
      <WhatGoes accountId={id} />
    </TypedDeletion>
  );
}

/** Says what is deleted with an account. */
export function WhatGoes({ accountId }: { accountId: string }) {
  const query = { limit: maxCounted };
  const integrations = useRead('integrations_list_account', { path: { accountId }, query });
  const credentials = useRead('credentials_list', { path: { ownerId: accountId }, query });
  const shared = credentials.data?.result.length;
  return (
    <Loaded of={integrations} lines={2}>
      {({ result }) => (
        <div>
          <p>With it are deleted, and cannot be brought back:</p>
          <ul class="bullets">
            <li>
              {counted(result.length, 'integration', 'integrations')}
              {result.length > 0 &&
                `: ${result
                  .slice(0, maxNamed)
                  .map(({ fullname }) => fullname)
                  .join(', ')}${result.length > maxNamed ? ' …' : ''}`}
              , with their credentials and counters
            </li>
            {shared !== undefined && (
              <li>{counted(shared, 'credential of the account', 'credentials of the account')}</li>
            )}
            <EndingTokens filter={[`account_id[eq]${accountId}`, 'owner_type[eq]integration']} />
          </ul>
          <p class="hint">
            Organization tokens stay, also those that were limited to this account.
          </p>
        </div>
      )}
    </Loaded>
  );
}
