import type { AgentStats } from '#bridge';
import { BridgeFailure } from '#bridge';
import type { JsonLog } from '#observe/runtime';

/** A request that is under way. */
export interface LoggedRequest {
  inBytes: number;
  outBytes: number;
  end(status: number | undefined, error?: Error): void;
}

/** Writes a line for each request, without query, headers and bodies, and counts. */
export class RequestLog {
  readonly stats: AgentStats = { requests: 0, failures: 0, in_bytes: 0, out_bytes: 0 };

  constructor(readonly log: JsonLog) {}

  begin(method: string, { origin, pathname }: URL): LoggedRequest {
    const begun = performance.now();
    this.stats.requests += 1;
    const entry: LoggedRequest = {
      inBytes: 0,
      outBytes: 0,
      end: (status, error) => {
        const { inBytes, outBytes } = entry;
        this.stats.in_bytes += inBytes;
        this.stats.out_bytes += outBytes;
        if (error !== undefined) this.fail(error.message);
        const isRefused = error instanceof BridgeFailure && error.reason === 'refused';
        const line = {
          message: isRefused ? 'request refused' : error ? 'request failed' : 'request',
          method,
          origin,
          path: pathname,
          status,
          in_bytes: inBytes,
          out_bytes: outBytes,
          milliseconds: Math.round(performance.now() - begun),
          ...(error === undefined ? {} : { reason: error.message }),
        };
        if (error === undefined) this.log.log(line);
        else this.log.warn(line);
      },
    };
    return entry;
  }

  /** A request that was refused before it was read. */
  refuse(reason: string): void {
    this.stats.requests += 1;
    this.fail(reason);
    this.log.warn({ message: 'request refused', reason });
  }

  private fail(reason: string): void {
    this.stats.failures += 1;
    this.stats.last_error = reason;
  }
}
