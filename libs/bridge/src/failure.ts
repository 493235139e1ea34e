/**
 * Reasons for which a request gets no response:
 * - `none`: no agent of the group is connected;
 * - `busy`: the agent answers as many requests as it takes;
 * - `refused`: the policy of the agent does not allow the request;
 * - `invalid`: the request cannot be sent as it is;
 * - `secret`: the agent does not have a secret that the request needs, or does not send it there;
 * - `unreachable`: the agent could not reach the host, or the connection to it broke;
 * - `late`: the host did not answer in time;
 * - `gone`: the agent disconnected.
 */
const failureReasons = [
  'none',
  'busy',
  'refused',
  'invalid',
  'secret',
  'unreachable',
  'late',
  'gone',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** A request through a bridge that got no response. */
export class BridgeFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    message: string,
    /** True if the host may have got the request. */
    readonly isSent: boolean,
    /** The code of a system error, such as ECONNREFUSED. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'BridgeFailure';
  }
}

const maxMessageLength = 1_000;

export interface WrittenFailure {
  reason: string;
  message: string;
  is_sent: boolean;
  code?: string;
}

export function writeFailure(failure: BridgeFailure): WrittenFailure {
  const { reason, message, isSent, code } = failure;
  return {
    reason,
    message: message.slice(0, maxMessageLength),
    is_sent: isSent,
    ...(code === undefined ? {} : { code }),
  };
}

/** Reads a failure of a peer that is not trusted: its text is cut, and an unknown reason counts as unreachable. */
export function readFailure(value: unknown): BridgeFailure {
  const { reason, message, is_sent, code } = Object(value) as Record<string, unknown>;
  return new BridgeFailure(
    failureReasons.find((one) => one === reason) ?? 'unreachable',
    (typeof message === 'string' ? message : 'no reason').slice(0, maxMessageLength),
    is_sent !== false,
    typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : undefined,
  );
}
