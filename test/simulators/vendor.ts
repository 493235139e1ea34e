/** Request that the description allows, as a vendor's simulator receives it. */
export interface Exchange<User = unknown> {
  /** In the form of the description: `GET /repos/{owner}/{repo}`. */
  operation: string;
  params: Record<string, string>;
  /** Converted to the types of the description. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Parsed JSON; undefined without a body. */
  body: unknown;
  files: UploadedFile[];
  /** `http://127.0.0.1:PORT`, for links in responses. */
  origin: string;
  url: URL;
  user: User;
}

export interface UploadedFile {
  field: string;
  name: string;
  type: string;
  content: Buffer;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
}

/** Thrown at any place to answer a request. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** Violation of a description of another kind than OpenAPI, found by the vendor itself. */
export class Disallowed extends Error {
  constructor(
    readonly faults: string[],
    readonly side: 'request' | 'answer' = 'request',
  ) {
    super(faults.join('; '));
  }
}

/** Request that is not part of the description. */
export interface PlainRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  bytes: Buffer;
}

export interface Allowance {
  limit: number;
  remaining: number;
  /** Epoch milliseconds. */
  resetsAt: number;
}

/** A method, so that a vendor with a narrower type of user is a vendor. */
export type Route<User> = { handle(exchange: Exchange<User>): Answer }['handle'];

/** Third-party system with its state in memory, as its clients see it. One object is one state. */
export interface Vendor<User = unknown> {
  /** Returns the caller; throws the vendor's 401. */
  authenticate(headers: Record<string, string>): User;
  /** Handlers by operation, in the form of the description. */
  routes: Record<string, Route<User>>;
  /** Handles paths outside of the description, such as those of a media host; undefined for unknown paths. */
  elsewhere?(request: PlainRequest): Answer | undefined;
  /** Creates the vendor's response at a limit; secondary for its second kind of limit. */
  limited(allowance: Allowance, secondary: boolean): Answer;
  /** Headers of every response. */
  headers?(allowance: Allowance): Record<string, string>;
  /** Creates the vendor's response to a body that is not valid JSON. */
  malformed(): Answer;
  /** Creates the vendor's response with this status, for faults. */
  failure(status: number): Answer;
  /** Creates further rows of the kind that the provider is about. */
  seed(count: number): void;
}

/** Rules for checking messages against a description. */
export interface DescriptionOptions {
  /** The vendor's OpenAPI 3.0 document. */
  document: Record<string, unknown>;
  /** Required fields by name of the component, where the description requires less than the system. */
  required?: Record<string, string[]>;
  /** Formats that the vendor writes differently from the standard of that name. */
  formats?: Record<string, RegExp>;
  /** Header parameters that the description requires and the system does not. */
  optionalHeaders?: string[];
}

export interface SimulatorOptions {
  name: string;
  description: DescriptionOptions;
  /** Creates a new state. */
  create: () => Vendor;
}

/** Returns texts and numbers as text, anything else as undefined. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
