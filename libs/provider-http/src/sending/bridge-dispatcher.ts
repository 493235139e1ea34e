import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, errors } from 'undici';
import { BridgeFailure } from '#bridge';
import { type BridgeReply, type Bus, Cancellation, type ResolvedBridge } from '#bus';
import { ApiError } from '#contract';
import {
  checkForm,
  type DispatchedRequest,
  readDispatch,
  type Responder,
  RespondingDispatcher,
} from '#egress';
import type { Route } from './route.js';
import type { DispatchedSecrets } from '../credentials/secret-uses.js';

const defaultTimeoutMs = 300_000;
/** The agent gives up first, and says why. */
const graceMs = 5_000;
const maxFileMs = 6 * 3_600_000;
const maxAttempts = 3;
/** Time for the agent of a gateway that has ended to connect to another one. */
const maxReturnMs = 3_000;
const returnPauseMs = 100;
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** They write, even where repeating them does no harm. A POST that can be repeated reads, as queries of GraphQL do. */
const writeMethods = new Set(['PUT', 'PATCH', 'DELETE']);

/** Sends requests to the agents of bridge groups. */
export type BridgeSender = Pick<Bus, 'callBridge'>;

/** Returns the way to providers through the bridge groups that an integration selects. The agents' policy takes the place of the egress policy. */
export function bridgeRoute(sender: BridgeSender, bridge: ResolvedBridge): Route {
  return {
    key: `bridge ${bridge.groups.join(' ')}`,
    dispatcher: new BridgeDispatcher(sender, bridge),
    policy: { checkUrl: checkForm },
  };
}

/** Lets an HTTP client of undici send its requests through the agents of bridge groups, in place of connections. */
class BridgeDispatcher extends RespondingDispatcher {
  constructor(
    private readonly sender: BridgeSender,
    private readonly bridge: ResolvedBridge,
  ) {
    super();
  }

  protected override async respond(
    options: Dispatcher.DispatchOptions,
    responder: Responder,
  ): Promise<void> {
    const cancellation = new Cancellation();
    responder.onAbort = (reason) => cancellation.cancel(reason);
    const request = await readDispatch(options);
    if (responder.isAborted) return;
    const { head, body } = await this.send(request, options, cancellation);
    responder.head(head.status, head.headers);
    if (body instanceof Uint8Array) {
      if (body.length > 0) responder.data(body);
    } else
      for await (const chunk of body) {
        responder.data(chunk);
        if (!(await responder.ready())) return;
      }
    responder.end();
  }

  /**
   * Requests that can be repeated are sent to another agent when theirs is gone. Of a write that ends so, nobody knows whether it was
   * carried out.
   */
  private async send(
    request: DispatchedRequest,
    { headersTimeout, bodyTimeout, idempotent, secretUses }: DispatchedSecrets,
    cancellation: Cancellation,
  ): Promise<BridgeReply> {
    const { method, url, headers, body } = request;
    const isRepeatable = idempotent ?? readMethods.has(method);
    const whenGone = whenGoneOf(isRepeatable, method);
    const isReplayable = body === undefined || body instanceof Uint8Array;
    const timeoutMs = headersTimeout || bodyTimeout || defaultTimeoutMs;
    const secrets = secretUses && { secrets: [...secretUses] };
    const call = { head: { method, url, timeoutMs, headers, ...secrets }, body };
    const waitMs = headersTimeout === 0 ? maxFileMs : timeoutMs + graceMs;
    let goneAt: number | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const options = { deadline: Date.now() + waitMs, cancellation };
        return await this.offer((group) => this.sender.callBridge(group, call, options));
      } catch (error) {
        if (!(error instanceof BridgeFailure)) throw error;
        const { reason, isSent } = error;
        // A gateway knows its own agents alone: those at another one may be free, and the bus takes turns.
        if (reason === 'busy' && attempt < maxAttempts && isReplayable) {
          await sleep(returnPauseMs);
          continue;
        }
        if (
          reason === 'gone' &&
          attempt < maxAttempts &&
          isReplayable &&
          (isRepeatable || !isSent)
        ) {
          goneAt ??= performance.now();
          continue;
        }
        if (goneAt === undefined || reason !== 'none')
          throw problemOf(error, this.bridge, whenGone);
        if (performance.now() - goneAt > maxReturnMs) throw problemOf(error, this.bridge, whenGone);
        await sleep(returnPauseMs);
        attempt -= 1;
      }
    }
  }

  /** Offers a request to one group after the other until one has an agent for it. */
  private async offer(send: (group: string) => Promise<BridgeReply>): Promise<BridgeReply> {
    let last = new BridgeFailure('none', 'there is no such bridge group', false);
    for (const group of this.bridge.groups)
      try {
        return await send(group);
      } catch (error) {
        if (!(error instanceof BridgeFailure) || !isUntaken(error)) throw error;
        last = error;
      }
    throw last;
  }
}

/** Tells what a caller can do whose request an agent took with it. */
function whenGoneOf(
  isRepeatable: boolean,
  method: string,
): { detail?: string; remediation: string } {
  if (isRepeatable && !writeMethods.has(method)) return { remediation: 'Try again.' };
  return {
    detail: 'The outcome is unknown: the request may have been carried out.',
    remediation: isRepeatable
      ? 'Try again: carrying it out twice has the same result as once.'
      : 'Look at the provider before you send it again.',
  };
}

function isUntaken({ reason }: BridgeFailure): boolean {
  return reason === 'none' || reason === 'busy';
}

/** Turns the failure of a bridge into the error of the call; those of the host into what a connection to it would have thrown. */
function problemOf(
  cause: BridgeFailure,
  bridge: ResolvedBridge,
  whenGone: { detail?: string; remediation: string },
): Error {
  const { reason, message, code } = cause;
  const { selected, lastSeen, groups } = bridge;
  const retry = { headers: { 'retry-after': '5' }, cause };
  switch (reason) {
    case 'none': {
      if (groups.length === 0)
        return new ApiError(503, `the integration selects ${selected}, and there is none`, {
          kind: 'bridge-unavailable',
          remediation: 'Create the group, or select another one with bridge_selector.',
          ...retry,
        });
      const since = lastSeen === null ? 'none ever was' : `the last one was there at ${lastSeen}`;
      return new ApiError(503, `no agent of ${selected} is connected; ${since}`, {
        kind: 'bridge-unavailable',
        remediation:
          'Start a bridge agent with the credential of the group; its log says why it is not connected.',
        ...retry,
      });
    }
    case 'busy':
      return new ApiError(503, `the agents of ${selected} take no more requests for now`, {
        kind: 'bridge-busy',
        remediation: 'Try again, or run more agents in the group.',
        ...retry,
      });
    case 'gone':
      return new ApiError(503, `the agent of ${selected} disconnected during the call`, {
        kind: 'bridge-lost',
        ...whenGone,
        ...retry,
      });
    case 'refused':
      return new ApiError(502, message, {
        kind: 'bridge-policy',
        remediation: `Add the host, method and path to the allow-list in the file of the agents of ${selected}, if they may be called; the service cannot change it.`,
        cause,
      });
    case 'secret':
      return new ApiError(502, message, {
        kind: 'bridge-secret',
        detail: `The request was for ${selected}.`,
        remediation: `Look at the secret in the files of the agents of ${selected}: its name, its fields and its origins.`,
        cause,
      });
    case 'late':
      return new errors.HeadersTimeoutError(message);
    case 'invalid':
      return new Error(message, { cause });
    case 'unreachable': {
      const error: NodeJS.ErrnoException = new Error(`${message} (from the bridge agent)`, {
        cause,
      });
      if (code !== undefined) error.code = code;
      return error;
    }
  }
}
