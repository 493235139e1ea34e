/** What a vendor's simulator gets to see of a request that its description allows. */
export interface Exchange<User = unknown> {
  /** As the description writes it: `GET /repos/{owner}/{repo}`. */
  operation: string;
  params: Record<string, string>;
  /** Converted to the types the description names. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Parsed JSON; undefined without a body. */
  body: unknown;
  files: UploadedFile[];
  /** `http://127.0.0.1:PORT`, for links in answers. */
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
  /** Bytes go out as they are, anything else as JSON. */
  body?: unknown;
}

/** An answer that ends the work on a request, from wherever it is thrown. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** What a description of another kind than OpenAPI does not allow, found while the vendor was at work. */
export class Disallowed extends Error {
  constructor(
    readonly faults: string[],
    readonly side: 'request' | 'answer' = 'request',
  ) {
    super(faults.join('; '));
  }
}

/** A request outside of the description. */
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

/** A method, so that a vendor of some kind of user is a vendor. */
export type Route<User> = { handle(exchange: Exchange<User>): Answer }['handle'];

/** A third-party system as its clients see it, with its state in memory. One object is one state. */
export interface Vendor<User = unknown> {
  /** Who is calling; throws the vendor's 401. */
  authenticate(headers: Record<string, string>): User;
  /** By operation, as the description writes it. */
  routes: Record<string, Route<User>>;
  /** What lies outside the description, as a media host does: answers undefined for paths it does not know. */
  elsewhere?(request: PlainRequest): Answer | undefined;
  /** The vendor's answer when a limit is reached; secondary where it has a second kind of limit. */
  limited(allowance: Allowance, secondary: boolean): Answer;
  /** Headers on every answer. */
  headers?(allowance: Allowance): Record<string, string>;
  /** The vendor's answer to a body that is no JSON. */
  malformed(): Answer;
  /** The vendor's answer with this status, as faults ask for it. */
  failure(status: number): Answer;
  /** Creates so many more rows of the kind the provider is about. */
  seed(count: number): void;
}

/** How a description is held against messages. */
export interface DescriptionOptions {
  /** The vendor's OpenAPI 3.0 document. */
  document: Record<string, unknown>;
  /** Names of components to what they must have, where the vendor's description says less than its system does. */
  required?: Record<string, string[]>;
  /** Formats that the vendor's system writes differently from the standard of that name. */
  formats?: Record<string, RegExp>;
  /** Header parameters that the description requires and the system does not. */
  optionalHeaders?: string[];
}

export interface SimulatorOptions {
  name: string;
  description: DescriptionOptions;
  /** A fresh state. */
  create: () => Vendor;
}

/** Texts and numbers as text, anything else as none. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
