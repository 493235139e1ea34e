import { ApiError } from '#contract';
import { FairTurns } from './fair-turns.js';
import { FileBody } from './file-body.js';
import { type PermitLimits, PermitRefused, type Permits } from './permits.js';
import type { ProviderRequest } from './provider-request.js';

/** Calls to one host at the same time, of one process. */
const callsPerHost = 64;
/** Beside the calls: files pass for minutes, and a list is not to wait behind them. */
const filesPerHost = 64;
/** A file may take hours: the rest is for others. */
const filesPerTenant = 48;
export const connectionsPerHost = callsPerHost + filesPerHost;

/** A call that needs a place. */
export interface SlotRequest {
  call: { provider: string };
  place: { organizationId: string; key: string };
  limits: PermitLimits;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  deadline: number;
}

/** Gives calls their place: a permit of the provider's limits, which all replicas share, and a turn at the host. */
export class CallSlots {
  private readonly turns = new FairTurns(callsPerHost);
  private readonly fileTurns = new FairTurns(filesPerHost, filesPerTenant);

  constructor(private readonly permits: Permits) {}

  /** @returns a function that gives the place back @throws ApiError 429 when there is none before the deadline */
  async take(request: ProviderRequest, call: SlotRequest): Promise<() => void> {
    const release = await this.permit(call);
    try {
      const turns = isFile(request) ? this.fileTurns : this.turns;
      const done = await turns.take(request.url.origin, call.place.organizationId, call.signal);
      return () => {
        done();
        release();
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async permit({ place, limits, deadline, signal, call }: SlotRequest) {
    try {
      return await this.permits.acquire(place, limits, deadline, signal);
    } catch (error) {
      if (!(error instanceof PermitRefused)) throw error;
      const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1000));
      throw new ApiError(429, `the limit of calls to ${call.provider} is used up`, {
        remediation: `Try again in ${seconds} s.`,
        headers: { 'retry-after': String(seconds) },
        cause: error,
      });
    }
  }
}

function isFile({ answer, body }: ProviderRequest): boolean {
  return answer === 'stream' || body instanceof FileBody;
}
