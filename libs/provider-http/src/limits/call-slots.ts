import { ApiError, type CallAborts } from '#contract';
import { FairTurns } from './fair-turns.js';
import { FileBody } from '../bodies/file-body.js';
import { describeBudget, rateLimitHeaders } from './rate-limit-headers.js';
import {
  type Permit,
  type PermitLimits,
  type PermitPlace,
  PermitRefused,
  type Permits,
} from './permits.js';
import type { ProviderRequest } from '../provider-request.js';

/** Maximum number of calls to one host at the same time, per process. */
export const maxCallsPerHost = 64;
/** A host may be slow to one tenant alone, so the others keep the rest. */
export const maxCallsPerTenant = 48;
/** And to one of its credentials, which is one customer of the tenant's. */
export const maxCallsPerCredential = 32;
/** Counted apart from other calls: files take minutes, and a list must not wait for them. */
export const maxFilesPerHost = 64;
/** A file may take hours, so other tenants keep the rest. */
export const maxFilesPerTenant = 48;
export const connectionsPerHost = maxCallsPerHost + maxFilesPerHost;

/** A call that needs a slot. */
export interface SlotRequest {
  call: { provider: string };
  place: PermitPlace;
  limits: PermitLimits;
  signal: CallAborts;
  /** Epoch milliseconds. */
  deadline: number;
  /** The name of the provider in metrics. */
  label?: string | undefined;
}

/** A wait of a call: for what, how long, and whether in vain. */
export interface CallWait {
  label: string;
  for: 'limit' | 'turn';
  seconds: number;
  outcome: 'granted' | 'refused' | 'given_up';
}

/** To ask the database for a permit takes less; who waits for one waits at least so long. */
const minWaitMs = 50;

/** Gives calls a slot: a permit within the provider's limits, which all replicas share, and a turn at the host. */
export class CallSlots {
  private readonly turns = new FairTurns({
    running: maxCallsPerHost,
    perTenant: maxCallsPerTenant,
    perCredential: maxCallsPerCredential,
  });
  private readonly fileTurns = new FairTurns({
    running: maxFilesPerHost,
    perTenant: maxFilesPerTenant,
  });

  /** @param onWait called for a call that waited: for a limit of the provider, or for a turn at its host */
  constructor(
    private readonly permits: Permits,
    private readonly onWait: (wait: CallWait) => void = () => undefined,
  ) {}

  /** Slots that are held, of calls and of files, and calls of both kinds that wait for one. */
  get held(): { calls: number; files: number; waiting: number } {
    const [calls, files] = [this.turns.held, this.fileTurns.held];
    return {
      calls: calls.running,
      files: files.running,
      waiting: calls.waiting + files.waiting,
    };
  }

  /** Counts requests of budgets before they are made. @throws ApiError 429 if there is no room for all of them before the deadline */
  async reserve(call: SlotRequest): Promise<readonly Permit[]> {
    const permit = await this.permit(call);
    return permit.each ?? [permit];
  }

  /** @param host identifies the host that is called @returns a permit that releases the slot @throws ApiError 429 if none is available before the deadline */
  async take(request: ProviderRequest, host: string, call: SlotRequest): Promise<Permit> {
    const { place, signal } = call;
    const asked = this.permit(call);
    const release = typeof asked === 'function' ? asked : await asked;
    try {
      const turns = isFile(request) ? this.fileTurns : this.turns;
      const owner = { tenant: place.organizationId, credential: place.key };
      const turn = turns.take(host, owner, signal);
      const done = typeof turn === 'function' ? turn : await this.timed('turn', turn, call);
      const { sent, answered, status } = release;
      const end = () => {
        done();
        release();
      };
      return Object.assign(end, { sent, answered, status });
    } catch (error) {
      release();
      throw error;
    }
  }

  private permit(call: SlotRequest): Permit | Promise<Permit> {
    const { place, limits, deadline, signal } = call;
    let permit: Permit | Promise<Permit>;
    try {
      permit = this.permits.acquire(place, limits, deadline, signal);
    } catch (error) {
      throw refusalOf(error, call);
    }
    return typeof permit === 'function' ? permit : this.granted(permit, call);
  }

  private async granted(permit: Promise<Permit>, request: SlotRequest): Promise<Permit> {
    try {
      return await this.timed('limit', permit, request);
    } catch (error) {
      throw refusalOf(error, request);
    }
  }

  /** Waits, and reports a wait that deserves the name. */
  private async timed<T>(
    what: CallWait['for'],
    pending: Promise<T>,
    { label = 'other' }: SlotRequest,
  ): Promise<T> {
    const begun = performance.now();
    const report = (outcome: CallWait['outcome']) => {
      const ms = performance.now() - begun;
      if (ms < minWaitMs && outcome !== 'refused') return;
      this.onWait({ label, for: what, seconds: ms / 1_000, outcome });
    };
    try {
      const result = await pending;
      report('granted');
      return result;
    } catch (error) {
      report(error instanceof PermitRefused ? 'refused' : 'given_up');
      throw error;
    }
  }
}

/** Says whose limit is used up, and what to do. */
function refusalOf(error: unknown, { call: { provider } }: SlotRequest): unknown {
  if (!(error instanceof PermitRefused)) return error;
  const { budget, reason, retryAfterMs } = error;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const whose =
    budget === undefined
      ? ''
      : `: ${provider} allows ${describeBudget(budget)}, which all who hold this credential share`;
  const full = reason === 'full' ? ', and too many calls wait for it' : '';
  return new ApiError(429, `the limit of calls to ${provider} is used up${whose}${full}`, {
    remediation: `Try again in ${seconds} s. For more calls, raise the limit at ${provider} and tell the operator of Onefold (PROVIDER_BUDGETS), or use another credential.`,
    headers: {
      'retry-after': String(seconds),
      ...(budget && rateLimitHeaders([{ ...budget, left: 0, resetMs: retryAfterMs }])),
    },
    cause: error,
  });
}

function isFile({ answer, body }: ProviderRequest): boolean {
  return answer === 'stream' || body instanceof FileBody;
}
