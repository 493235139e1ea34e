import { useState } from 'preact/hooks';
import type { Body, Result } from '#contract';
import { call } from '../api/client.js';
import { cache, useRead } from '../api/query.js';
import { go } from '../location.js';
import { errorBeside, faultsOf } from '../forms/faults.js';
import { announce } from './announce.js';
import { useAttempt } from './attempt.js';
import { Dialog } from './dialog.js';
import { FormDialog } from './form-dialog.js';
import { Loaded } from './loaded.js';
import { consequenceOf, useUnreleased } from './released.js';
import { AccountChoice, RecordChoice } from './record-choice.js';
import { Select } from './select.js';
import { ShownOnce } from './shown-once.js';
import { Exact } from './time.js';

const ttls: Record<string, string> = { '1h': 'an hour', '24h': 'a day', '168h': 'seven days' };
const languages: Record<string, string> = {
  '': 'That of the browser',
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
};

type Integration = Result<'integrations_get'>['result'];

interface Props {
  /** The customer; without it somebody chooses one. */
  accountId?: string;
  /** The integration whose access is renewed; without it the customer connects a system. */
  integration?: Integration;
  /** The integration point, where it is known. */
  pointId?: string;
  onClose: () => void;
}

/** Makes a link to the Connect UI, in which a customer connects a system or renews the access of one. */
export function ConnectLink({ accountId = '', integration, pointId = '', onClose }: Props) {
  const domain = integration?.category;
  const filter = domain === undefined ? [] : [`connector[eq]${domain}`];
  const points = useRead('integrationPoints_list', { query: { limit: 1, filter } });
  const [account, setAccount] = useState(accountId);
  const [point, setPoint] = useState(integration?.integration_point_id ?? pointId);
  const [ttl, setTtl] = useState('24h');
  const [locale, setLocale] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const [pointKey] = useState(() => crypto.randomUUID());
  const [isTried, setTried] = useState(false);
  const [created, setCreated] = useState<Result<'connect_create_session'>['result']>();
  const { run, isBusy, error } = useAttempt();
  const hasNone = points.data?.result.length === 0;
  // The wizard connects a system without an integration point, and a link needs one.
  const isPointNew = integration !== undefined && point === '' && hasNone;
  const create = () => {
    setTried(true);
    if (account === '' || (point === '' && !isPointNew)) return;
    void run(async (signal) => {
      const body = {
        integration_point_id: isPointNew
          ? await createPointFor(integration, pointKey, signal)
          : point,
        ttl,
        link: true,
        ...(integration ? { integration_id: integration.id } : {}),
        ...(locale === '' ? {} : { locale }),
      } as Body<'connect_create_session'>;
      const input = { path: { accountId: account }, body, idempotencyKey: key };
      setCreated((await call('connect_create_session', input, signal)).result);
      announce('The link is there');
    });
  };
  if (created) return <LinkShown created={created} onClose={onClose} />;
  const title = integration ? `Renew the access of ${integration.fullname}` : 'Link for a customer';
  if (!pointId && hasNone && !isPointNew) return <NoPoint title={title} onClose={onClose} />;
  const faults = faultsOf(error);
  const needed = (value: string) => (isTried && value === '' ? 'Choose one.' : undefined);
  return (
    <FormDialog
      isBusy={isBusy}
      onClose={onClose}
      title={title}
      operation="connect_create_session"
      action="Make the link"
      error={errorBeside(error, (place) => place === '/integration_point_id')}
      onSubmit={create}
    >
      <p>
        {integration
          ? 'Whoever opens the link gives a new credential for this integration, and can do nothing else. Its id and its tokens stay.'
          : 'Whoever opens the link connects one system of the customer, and can do nothing else.'}
      </p>
      {!accountId && (
        <AccountChoice
          label="Customer"
          chosen={account}
          fault={needed(account)}
          onChoose={setAccount}
        />
      )}
      {isPointNew && (
        <p>
          A link belongs to an integration point, and there is none for this domain: one is made,
          which offers customers nothing else. The integration itself stays as it is.
        </p>
      )}
      {!pointId && !isPointNew && (
        <Loaded of={points} lines={2}>
          {() => (
            <RecordChoice
              operation="integrationPoints_list"
              kind="integration point"
              filter={filter}
              label="Integration point"
              chosen={point}
              fault={needed(point) ?? faults.get('/integration_point_id')}
              onChoose={setPoint}
            />
          )}
        </Loaded>
      )}
      {integration === undefined && <Unreleased accountId={account} pointId={point} />}
      <Select label="Valid for" value={ttl} onChange={setTtl}>
        {ttls}
      </Select>
      <Select label="Language of the page" value={locale} onChange={setLocale}>
        {languages}
      </Select>
    </FormDialog>
  );
}

interface UnreleasedProps {
  accountId: string;
  pointId: string;
}

/** Warns of what the customer will be offered because the integration point names it, though it is not for production. */
function Unreleased({ accountId, pointId }: UnreleasedProps) {
  const ofPoint = { path: { integrationPointId: pointId } };
  const point = useRead('integrationPoints_get', ofPoint, undefined, pointId !== '').data?.result;
  const input = { path: { accountId } };
  const account = useRead('accounts_get', input, undefined, accountId !== '').data?.result;
  const isInProduction = account?.environment === 'prod';
  const isUnreleased = useUnreleased(isInProduction);
  const named = isInProduction ? (point?.environments.prod ?? []).filter(isUnreleased) : [];
  return named.map((id) => (
    <p class="note warn" key={id}>
      <strong>
        The customer is in production, and will be offered <code>{id}</code>,
      </strong>{' '}
      because the integration point names it. {consequenceOf(id)}
    </p>
  ));
}

/** Makes an integration point for the system of an integration alone. @returns its id */
async function createPointFor(
  { id, category, provider_config }: Integration,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const { type } = provider_config as { type: string };
  const body = {
    name: `renew-${id.replaceAll('_', '-')}`,
    fullname: `Renewed access: ${type}`,
    connector: category,
    environments: { test: [], prod: [] }, // a renewed integration needs none
  };
  const { result } = await call('integrationPoints_create', { body, idempotencyKey: key }, signal);
  await cache.invalidateQueries({ queryKey: ['integrationPoints_list'] });
  return result.id;
}

/** A link cannot be made yet. */
function NoPoint({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        A link is for an integration point, which says what customers may choose. There is none for
        this yet.
      </p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => go('/points')}>
          To the integration points
        </button>
      </div>
    </Dialog>
  );
}

interface ShownProps {
  created: Result<'connect_create_session'>['result'];
  onClose: () => void;
}

function LinkShown({ created: { url, session }, onClose }: ShownProps) {
  return (
    <ShownOnce
      title="The link for the customer"
      lead={
        <>
          Send it to the person who administers the system. It is shown now and never again, works
          once, and ends on <Exact time={session.expires_at} />. Programs that scan mail do not use
          it up.
        </>
      }
      secrets={[{ name: 'Link for the customer', text: url }]}
      onClose={onClose}
    />
  );
}
