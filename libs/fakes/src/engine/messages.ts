/** A request to a fake. */
export interface FakeRequest {
  method: string;
  /** The whole address: its origin is `this.origin`. */
  url: string;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  /** As it came, or as it comes where the route keeps files. */
  body?: Uint8Array | AsyncIterable<Uint8Array>;
}

/** A request whose body was read, unless it is a file. */
export type ReadRequest = FakeRequest & { body?: Uint8Array };

/** How a response is cut short. `half` sends the first half of the body. */
export type Broken = 'reset' | 'half' | 'never';

/** The response of a fake. */
export interface FakeResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** In place of the body: a file that is read as it is sent, in chunks where its size is not known. */
  file?: { size: number | undefined; chunks: () => AsyncIterable<Uint8Array> };
  /** Set where the transport has to break the response. */
  broken?: Broken;
  /** Kind of the fault that the request met. */
  fault?: string;
  /** How late the response is. */
  delayMs?: number;
  /** Webhook messages that the vendor sends because of the request. */
  messages?: readonly WebhookMessage[];
}

/** A message to the address of a webhook. */
export interface WebhookMessage {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The vendor refuses the request: one of the document's errors. */
export class FakeRefusal extends Error {
  constructor(
    /** Name of the error. */
    readonly error: string,
    readonly detail = '',
    /** Further keys of `this.error`. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${error}: ${detail}`);
    this.name = 'FakeRefusal';
  }
}
