import type { OperationId, Problem } from '#contract';
import { RequestError } from '../api/client.js';
import { connectorOperations, operationOf } from '../api/operations.js';
import { mayCall } from '../api/permissions.js';
import { session } from '../api/session.js';
import { Checks, checksOf } from './checks.js';
import { Copy } from './copy.js';
import { Countdown } from './countdown.js';
import { Link } from './link.js';
import { permissionName } from './operation-name.js';
import { remedyForPeople } from './remedy.js';
import { idOfRequest } from './request-id.js';
import { Message } from './message.js';

interface Props {
  error: Error;
  onRetry?: () => void;
  /** Stands for the remedy and the message of the service, where the screen knows better words. */
  remedy?: string;
}

/** An error of the API: the remedy first, then what happened; causes and the id of the request below. */
export function ProblemBox({ error, onRetry, remedy: given }: Props) {
  if (!(error instanceof RequestError))
    return (
      <div class="problem" role="alert">
        <p class="remedy">Reload the page. If this happens again, report the message below.</p>
        <p>{error.message}</p>
      </div>
    );
  const { problem, operation, retryAfterSeconds } = error;
  const { permission } = operationOf(operation);
  const checks = checksOf(problem);
  const remedy =
    given ??
    (problem.status === 403 && permission !== ''
      ? `Ask an administrator for the permission “${permissionName(permission)}”, ${permission}.`
      : remedyForPeople(
          problem.remediation ?? 'Try again. If this happens again, report the id of the request.',
        ));
  const ofApi = problem.status === 403 && permission !== '' ? undefined : problem.remediation;
  return (
    <div class="problem" role="alert">
      <p class="remedy">{remedy}</p>
      {given === undefined && (
        <p>
          <Message text={problem.message} />
        </p>
      )}
      {(given !== undefined || (ofApi && ofApi !== remedy)) && (
        <details>
          <summary>{given === undefined ? 'For programs' : 'In the words of the service'}</summary>
          {given !== undefined && (
            <p>
              <Message text={problem.message} />
            </p>
          )}
          {ofApi && (
            <p>
              <Message text={ofApi} />
            </p>
          )}
        </details>
      )}
      <Causes problem={problem} />
      {checks.length > 0 && <Checks checks={checks} />}
      <Stored error={error} />
      <Resources problem={problem} />
      {retryAfterSeconds !== undefined && <Countdown seconds={retryAfterSeconds} />}
      <p class="foot">
        {problem.status === 0 ? 'No response' : `Status ${problem.status}`} ·{' '}
        <Became operation={operation} instance={problem.instance} />{' '}
        <Copy text={problem.instance} name="id of the request" />
        {onRetry && (
          <button type="button" class="small" onClick={onRetry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

/** The id of the request, which leads to what became of it: in the request log, or else in the audit trail. */
function Became({ operation, instance }: { operation: OperationId; instance: string }) {
  const id = idOfRequest(instance);
  const isOfConnector = connectorOperations.some((one) => one.id === operation);
  const isPermitted = mayCall(isOfConnector ? 'requests_get' : 'audit_list');
  if (id === undefined || session.value === undefined || !isPermitted)
    return <code>{instance}</code>;
  return (
    <Link to={isOfConnector ? `/requests/${id}` : `/audit?what=all&record=${id}`}>
      <code>{instance}</code>
    </Link>
  );
}

/** Says of a write without a usable response whether something may have been stored, and whether it may be sent again. */
function Stored({ error: { problem, operation, isRepeatable } }: { error: RequestError }) {
  const isUnknown = problem.status === 0 || problem.status >= 500;
  if (!isUnknown || operationOf(operation).method === 'GET') return null;
  return (
    <p>
      {isRepeatable
        ? 'It may have been stored. Trying again is safe: it makes one record only.'
        : 'It may have been carried out. Look at the record before you try again.'}
    </p>
  );
}

/** Records that the problem is about, where the console has a screen for them. */
function Resources({ problem: { context } }: { problem: Problem }) {
  const links = (context?.resources ?? []).flatMap(({ type, id }) => {
    const to = screenOf(type, id);
    return to === undefined ? [] : [[to, `${type.replaceAll('_', ' ')} ${id}`] as const];
  });
  if (links.length === 0) return null;
  return (
    <p class="links">
      {links.map(([to, text]) => (
        <Link key={to} to={to}>
          {text}
        </Link>
      ))}
    </p>
  );
}

function screenOf(type: string, id: string): string | undefined {
  const at = encodeURIComponent(id);
  switch (type) {
    case 'account':
      return `/accounts/${at}`;
    case 'integration_point':
      return `/points/${at}`;
    case 'organization_webhook':
      return `/webhooks/${at}`;
    default:
      return undefined;
  }
}

function Causes({ problem: { cause, message } }: { problem: Problem }) {
  const others = (cause ?? []).filter((one) => !message.includes(one.message));
  if (others.length === 0) return null;
  return (
    <details>
      <summary>{others.length === 1 ? 'One cause' : `${others.length} causes`}</summary>
      <ul>
        {others.map((one, index) => (
          <li key={index}>{one.message}</li>
        ))}
      </ul>
    </details>
  );
}
