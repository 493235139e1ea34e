import type { Value } from '@onefold/mapping';
import { readWait } from '#egress';

/** Codes by which the body says that a limit is reached, in the spellings that are in use. */
const limitCode =
  /^(user_?)?(rate_?limit(ed|_?exceeded)?|too_?many_?requests|thrott(led|ling(_?exception)?)|request_?limit_?exceeded|resource_?exhausted)$/i;
const codeKeys = ['code', 'type', 'error', 'errorCode', 'reason', 'status', '__type'];
const waitKeys = ['retry_after', 'retryAfter', 'retry-after', 'retry_after_seconds'];
const waitMsKeys = ['retry_after_ms', 'retryAfterMs'];

type Fields = Readonly<Record<string, Value>>;

/**
 * True for a response which says in its body alone that a limit is reached: an error of GraphQL with the status 200 or 400, `ok: false`
 * of a chat, or the code of an error with another status.
 */
export function isLimitedByBody(status: number, body: Value): boolean {
  return errorsIn(status, body).some((error) =>
    codeKeys.some((key) => {
      const code = error[key];
      return typeof code === 'string' && limitCode.test(code.split('#').at(-1) ?? '');
    }),
  );
}

/** The wait that a body asks for, in milliseconds: as seconds, or as a time. */
export function waitInBody(body: Value, now: number): number | undefined {
  for (const error of errorsIn(400, body)) {
    const ms = waitMsKeys.map((key) => error[key]).find((one) => typeof one === 'number');
    if (ms !== undefined && ms >= 0) return ms;
    const text = waitKeys.map((key) => error[key]).find(isScalar);
    const wait = text === undefined ? undefined : readWait(String(text), now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/** The places of a body where errors are described. A response that succeeded has them only where it says that it did not. */
function errorsIn(status: number, body: Value): Fields[] {
  if (!isFields(body))
    return Array.isArray(body) && status >= 400 ? body.slice(0, 1).filter(isFields) : [];
  const { errors, error, parameters, ok, success } = body;
  const listed = (Array.isArray(errors) ? errors.slice(0, 10) : []).filter(isFields);
  const inner = isFields(error) && Array.isArray(error['errors']) ? error['errors'] : [];
  const described = [...listed, ...listed.map(({ extensions }) => extensions)];
  if (status < 300 && ok !== false && success !== false) return described.filter(isFields);
  return [body, error, parameters, inner[0], ...described].filter(isFields);
}

function isScalar(value: Value): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isFields(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
