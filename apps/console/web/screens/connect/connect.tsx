import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Environment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import type { Account } from './account.js';
import { ChooseAccount } from './choose-account.js';
import { ChooseProvider } from './choose-provider.js';
import { Configure } from './configure.js';
import { Connected } from './connected.js';

const steps = ['Customer', 'System', 'Access', 'Connected'] as const;

/** Connects a system of a customer. What was chosen is in the address, so that a reload and a link lead to the same step. */
export function ConnectScreen() {
  const { search } = place.value;
  const accountId = search.get('account') ?? '';
  const providerId = search.get('provider') ?? '';
  const [created, setCreated] = useState<Result<'integrations_create'>>();
  const step = created ? 3 : accountId === '' ? 0 : providerId === '' ? 1 : 2;
  return (
    <>
      <p class="crumbs">
        <Link to="/integrations">Integrations</Link>
      </p>
      <h1 tabIndex={-1}>Connect a system</h1>
      <Steps current={step} />
      {step === 0 && <ChooseAccount onChoose={(id) => setSearch({ account: id })} />}
      {step > 0 && !created && (
        <OfCustomer id={accountId}>
          {(account) =>
            step === 1 ? (
              <ChooseProvider account={account} />
            ) : (
              <Configure
                key={providerId}
                account={account}
                providerId={providerId}
                onCreated={setCreated}
              />
            )
          }
        </OfCustomer>
      )}
      {created && (
        <Connected
          created={created}
          onAgain={() => {
            setCreated(undefined);
            setSearch({ provider: '' });
          }}
        />
      )}
    </>
  );
}

function Steps({ current }: { current: number }) {
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((name, index) => (
        <li
          key={name}
          class={index < current ? 'past' : ''}
          aria-current={index === current ? 'step' : undefined}
        >
          {name}
          {index < current && <span class="unseen"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

interface OfCustomerProps {
  id: string;
  /** The step, which depends on whether the customer is in production. */
  children: (account: Account) => ComponentChildren;
}

function OfCustomer({ id, children }: OfCustomerProps) {
  const account = useRead('accounts_get', { path: { accountId: id } });
  return (
    <Loaded of={account} lines={1}>
      {({ result }) => (
        <>
          <p class="chosen">
            <span>Customer</span> <strong dir="auto">{result.fullname}</strong>{' '}
            <Environment name={result.environment} />{' '}
            <button
              type="button"
              class="small"
              onClick={() => setSearch({ account: '', provider: '', unreleased: '' })}
            >
              Change<span class="unseen"> the customer</span>
            </button>
          </p>
          {children(result)}
        </>
      )}
    </Loaded>
  );
}
