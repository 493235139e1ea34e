/** A request that a provider would get, without secrets. */
export interface RehearsedRequest {
  step: string;
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  /** A value where the body is JSON, otherwise a text. */
  body?: unknown;
  /** Steps whose answers decide whether it is sent, or what is in it. */
  needs?: readonly string[];
  note?: string;
}

/** The request of a step that is shown. */
export type ShownRequest = Omit<RehearsedRequest, 'step'>;

/** Ends the work of a function at the first request that a dry run does not send. */
export class NotSent extends Error {
  constructor() {
    super('a dry run sends nothing that changes a record');
    this.name = 'NotSent';
  }
}

/** Takes the requests of functions that a dry run does not send. */
export interface RequestStop {
  stopAt(step: string, request: ShownRequest): NotSent;
}

/** True for requests that change nothing: only these are sent in a dry run. */
export function onlyReads({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}
