import { useState } from 'preact/hooks';
import { type LoggedRequest, requests } from '../api/client.js';
import { curlOf } from '../api/curl.js';
import { Copy } from './copy.js';

/** Every request that this tab made, with the command that makes it again. */
export function ApiDrawer() {
  const [isOpen, setOpen] = useState(false);
  const all = requests.value;
  const last = all[0];
  return (
    <section class="drawer" aria-label="API requests of this tab">
      <button type="button" class="handle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong>API</strong>{' '}
        <span>{all.length === 1 ? '1 request' : `${all.length} requests`}</span>
        {last && (
          <span class="last">
            {last.method} {new URL(last.url).pathname} <Status request={last} />
          </span>
        )}
      </button>
      {isOpen && (
        <div class="entries">
          <p class="hint">
            Everything on this page comes from these calls. Put your token into the variable{' '}
            <code>TOKEN</code> and paste a command into a terminal.
          </p>
          <ol>
            {all.map((one) => (
              <Entry key={one.number} request={one} />
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

function Entry({ request }: { request: LoggedRequest }) {
  const { operation, at, ms, requestId, isOfIntegration } = request;
  const command = curlOf(request);
  return (
    <li>
      <p>
        <Status request={request} /> <strong>{operation}</strong>{' '}
        <small>
          {at.toLocaleTimeString('en-GB')}
          {ms !== undefined && ` · ${ms} ms`}
          {isOfIntegration && ' · by a token of the integration'}
          {requestId !== undefined && (
            <>
              {' · '}
              <code>{requestId}</code>
            </>
          )}
        </small>
      </p>
      <div class="command">
        <code tabIndex={0}>{command}</code>
        <Copy text={command} name={`command of ${operation}`} />
      </div>
    </li>
  );
}

export function Status({ request: { status } }: { request: Pick<LoggedRequest, 'status'> }) {
  const tone = status === undefined ? 'none' : status >= 200 && status < 400 ? 'good' : 'bad';
  return (
    <span class={`status ${tone}`}>{status === undefined ? '…' : status || 'no response'}</span>
  );
}
