import { BridgeFailure } from './failure.js';
import { hopHeaders } from './own-header.js';
import { readSecretUses, type SecretUse } from './secret-use.js';

/** A request for an agent, without its body. */
export interface RequestHead {
  method: string;
  /** `https://jira.internal:8443/rest/issue?id=1` */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  hasBody: boolean;
  /** Secrets that the agent puts in; absent where there are none. */
  secrets?: SecretUse[];
  /** Milliseconds for which the host may be silent. */
  timeoutMs: number;
}

export interface ResponseHead {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
}

const maxTimeoutMs = 3_600_000;

/** Returns the headers that pass from one connection to the next. */
export function passedHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (hopHeaders.has(key)) continue;
    if (Array.isArray(value)) passed[key] = value.filter(isText).join(', ');
    else if (isText(value)) passed[key] = value;
  }
  return passed;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function writeRequest({ timeoutMs, hasBody, ...rest }: RequestHead): object {
  return { ...rest, has_body: hasBody, timeout_ms: timeoutMs };
}

/** Reads a request of a server that is not trusted. @throws BridgeFailure `invalid` */
export function readRequest(head: Readonly<Record<string, unknown>>): RequestHead {
  const { method, url, headers, has_body: hasBody, timeout_ms: timeoutMs } = head;
  if (typeof method !== 'string' || !/^[A-Z]{1,20}$/.test(method))
    throw new BridgeFailure('invalid', 'the request has no valid method', false);
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new BridgeFailure('invalid', 'the request has no valid address', false);
  const secrets = readSecretUses(head['secrets']);
  return {
    method,
    url,
    headers: passedHeaders(Object(headers) as Record<string, unknown>),
    hasBody: hasBody === true,
    timeoutMs: Math.min(Math.max(1, Number(timeoutMs) || maxTimeoutMs), maxTimeoutMs),
    ...(secrets.length === 0 ? {} : { secrets }),
  };
}

/** Reads a response of an agent that is not trusted. @throws BridgeFailure */
export function readResponse(head: Readonly<Record<string, unknown>>): ResponseHead {
  const { status, headers } = head;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
    throw new BridgeFailure('unreachable', 'the agent returned no valid status', true);
  return {
    status: Number(status),
    headers: passedHeaders(Object(headers) as Record<string, unknown>),
  };
}
