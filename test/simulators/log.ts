/** A received request, and its response. */
export interface LoggedRequest {
  number: number;
  at: string;
  method: string;
  path: string;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  /** Parsed if it is JSON, otherwise its size in bytes. */
  body: unknown;
  operation: string | null;
  /** Null if the connection was cut or left without a response. */
  status: number | null;
  fault: string | null;
}

/** A message that the vendor's description does not allow. */
export interface Violation {
  request: number;
  /** Author of the message: the client's request or the simulator's response. */
  side: 'request' | 'answer';
  operation: string;
  faults: string[];
}

const kept = 10_000;

export class Log {
  requests: LoggedRequest[] = [];
  violations: Violation[] = [];
  private count = 0;

  add(entry: Omit<LoggedRequest, 'number' | 'at'>): LoggedRequest {
    this.count += 1;
    const request = { number: this.count, at: new Date().toISOString(), ...entry };
    this.requests.push(request);
    if (this.requests.length > kept) this.requests.shift();
    return request;
  }

  violate(violation: Violation): void {
    this.violations.push(violation);
    if (this.violations.length > kept) this.violations.shift();
  }

  clear(): void {
    this.count = 0;
    this.requests = [];
    this.violations = [];
  }
}
