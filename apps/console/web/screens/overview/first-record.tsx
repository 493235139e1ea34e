import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call, requestOf, send } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { cache, useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Link } from '../../parts/link.js';
import { ProblemBox } from '../../parts/problem.js';
import { tokenName } from './progress.js';

type Integration = Result<'integrations_list'>['result'][number];

const operation = 'ticketing_query_tickets';
const input = { query: { limit: 1 } };
const ttl = '10m';

/** An integration whose records can be read here: the oldest of ticketing. Null if there is none. */
export function useFirstIntegration(): Integration | null | undefined {
  const query = { limit: 1, order: 'created_at', filter: 'category[eq]ticketing' };
  const read = useRead('integrations_list', { query });
  return read.data && (read.data.result[0] ?? null);
}

async function createToken({ account_id, id }: Integration, signal: AbortSignal, name?: string) {
  const path = { accountId: account_id, integrationId: id };
  const body = { token_ttl: ttl, ...(name === undefined ? {} : { name }) };
  const created = await call('tokens_create_integration_token', { path, body }, signal);
  return created.result.secret;
}

/** Reads a record through an integration, and shows it as the API gives it to any program. */
export function FirstRecord({ integration }: { integration: Integration }) {
  const [record, setRecord] = useState<unknown>();
  const { run, isBusy, error } = useAttempt();
  const read = () =>
    run(async (signal) => {
      const token = await createToken(integration, signal);
      const { result } = await send(operation, input, token, signal);
      setRecord(result[0] ?? null);
      announce('The record is shown');
      void cache.invalidateQueries({ queryKey: ['status_list'] });
    });
  return (
    <>
      <Action
        operation="tokens_create_integration_token"
        kind={record === undefined ? 'primary' : 'plain'}
        isBusy={isBusy}
        onClick={() => void read()}
      >
        {record === undefined ? 'Read a ticket' : 'Read it again'}
      </Action>
      {error && <ProblemBox error={error} />}
      {record !== undefined && (
        <div class="whole">
          <p class="hint">
            From <bdi>{integration.fullname}</bdi> (
            {integration.provider_fullname ?? integration.provider_type}). A ticket of any other
            system has the same fields.{' '}
            <Link
              to={`/explorer?integration=${integration.account_id}/${integration.id}&operation=${operation}`}
            >
              More requests in the explorer
            </Link>
          </p>
          <pre role="group" tabIndex={0} aria-label="The ticket">
            {record === null ? 'It has no ticket yet.' : JSON.stringify(record, null, 2)}
          </pre>
        </div>
      )}
    </>
  );
}

/** The command that reads the same record from a terminal. The token is in what is copied, and not on the page. */
export function FirstCommand({ integration }: { integration: Integration }) {
  const [isCopied, setCopied] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const command = curlOf({ ...requestOf(operation, input), isAuthorized: true });
  const copy = () =>
    run(async (signal) => {
      const name = `${tokenName}-${crypto.randomUUID()}`;
      const token = await createToken(integration, signal, name);
      await navigator.clipboard.writeText(`TOKEN=${token}\n${command}\n`);
      setCopied(true);
      announce('The command is copied');
      void cache.invalidateQueries({ queryKey: ['tokens_list'] });
    });
  return (
    <>
      <Action
        operation="tokens_create_integration_token"
        isBusy={isBusy}
        onClick={() => void copy()}
      >
        {isCopied ? 'Copied' : 'Copy with a token'}
      </Action>
      {error && <ProblemBox error={error} />}
      <div class="command whole">
        <code tabIndex={0}>{command}</code>
      </div>
      {isCopied && (
        <p class="hint">
          The token is valid for ten minutes. This step is done once the request has arrived.
        </p>
      )}
    </>
  );
}
