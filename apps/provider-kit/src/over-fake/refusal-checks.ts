import { type OperationId, operationOf } from '#contract';
import type { FaultRule } from '#fakes';
import { leavesOf } from '../leaves.js';
import type { Excuses } from './excuses.js';
import { unlimited } from './fake-setup.js';
import type { OverFake } from './over-fake.js';
import type { Answer, Json, Request } from './over-provider.js';

const statuses = [401, 403, 404, 429] as const;
type Status = (typeof statuses)[number];

/** Rows of a page: each row that is mapped takes long, and a refusal is the same for all pages. */
const maxRows = 12;

/** The wait that a refusal with 429 asks for. */
const waitSeconds = 900;
/** Time that may pass on the clock of the fake meanwhile. */
const slackSeconds = 60;

/** Runs a call once for each kind of request that it makes and each status, with which that request and all later ones are refused. */
export class RefusalChecks {
  readonly faults: string[] = [];
  private readonly used = new Set<string>();

  constructor(
    private readonly over: OverFake,
    private readonly excuses: Excuses,
  ) {}

  /** Checks a call on copies of the vendor's records. */
  async check(id: OperationId, given: Request): Promise<void> {
    const request = withFewRows(id, given);
    const routes = await this.over.aside(() => this.watchRequests(id, request));
    const first = [...new Set(routes)].map((route) => routes.indexOf(route));
    for (const status of statuses)
      for (const index of first) {
        const answer = await this.refuse(id, request, { status, index });
        const wrong = this.wrongIn(answer, status, id);
        if (wrong === undefined) continue;
        if (this.excuses.refusals?.[id]?.[String(status)] === undefined)
          this.faults.push(`${id} ${status}, request ${index}: ${wrong}`);
        else this.used.add(`${id} ${status}`);
      }
  }

  /** Excuses of operations of this provider that were not needed. */
  unneeded(): string[] {
    return Object.entries(this.excuses.refusals ?? {}).flatMap(([id, byStatus]) =>
      Object.keys(byStatus)
        .map((status) => `${id} ${status}`)
        .filter((key) => id in this.over.provider.operations && !this.used.has(key))
        .map((key) => `${key}: it is refused as all others, and needs no excuse`),
    );
  }

  /** Runs a call and sees which requests it makes. @returns the routes of its requests in their order */
  private async watchRequests(id: OperationId, request: Request): Promise<(string | null)[]> {
    const { over } = this;
    over.fake.limits.override = unlimited;
    over.answered = [];
    const { body } = await over.call(id, { ...request, meta: ['api/response(primary)'] });
    const sent = over.answered.flatMap(({ response: { body: bytes, headers, file } }) => [
      Buffer.from(bytes).toString(),
      // A file that is a part of a record is shown by its size.
      `${file?.size ?? bytes.length} bytes of ${headers['content-type'] ?? ''}`,
    ]);
    if (operationOf(id).query['include_raw_data']) await this.checkRawData(id, request);
    over.answered = undefined;
    const { meta } = body as Shown;
    const shown = meta?.api?.response?.primary?.response;
    // Responses without a body, and files, have no place for it.
    if (shown !== undefined && !(typeof shown === 'string' && sent.includes(shown)))
      this.faults.push(`${id} shows what was not sent: ${JSON.stringify(shown)}`);
    return over.fake.log.requests
      .filter(({ path }) => !path.endsWith('token'))
      .map(({ method, path, route }) => route ?? `${method} ${path}`);
  }

  /** Calls an operation with `include_raw_data`, which must have values that the vendor has sent alone. */
  private async checkRawData(id: OperationId, request: Request): Promise<void> {
    const query = { ...request.query, include_raw_data: true };
    const { status, body } = await this.over.call(id, { ...request, query });
    const answers = (this.over.answered ?? []).map(({ response }) => response.body);
    const sent = answers.map((bytes) => Buffer.from(bytes).toString()).join('\n');
    const records = [body['result'] as unknown].flat() as Json[];
    if (status >= 300 || records.length === 0) return;
    const raw = records.map((record) => record['raw_data'] as unknown);
    if (!raw.every((one) => typeof one === 'string')) {
      this.faults.push(`${id} has records without raw_data`);
      return;
    }
    const left = raw.flatMap((one) => wordsOf(JSON.parse(one)));
    const unsent = [...new Set(left)].filter((one) => !sent.includes(one));
    if (unsent.length > 0)
      this.faults.push(`${id} has raw_data not sent: ${unsent.slice(0, 5).join(', ')}`);
  }

  private async refuse(
    id: OperationId,
    request: Request,
    { status, index }: { status: Status; index: number },
  ): Promise<Answer> {
    const { over } = this;
    let seen = -1;
    try {
      return await over.aside(async () => {
        over.fake.limits.override = unlimited;
        over.intercept = () => {
          seen += 1;
          return seen < index ? undefined : refusal(status);
        };
        return await over.call(id, request);
      });
    } finally {
      over.intercept = undefined;
    }
  }

  /** Judges the response to a request that the vendor refused. @returns what is wrong with it, or undefined */
  private wrongIn(
    { status, body, headers = {} }: Answer,
    refused: Status,
    id: OperationId,
  ): string | undefined {
    const { message = '', remediation = '', context, cursor = '', messages } = body as Refused;
    const { needs } = context?.provider_details ?? {};
    const text = `${status} ${JSON.stringify(body).slice(0, 400)}`;
    // A step may accept the refusal as a result, which the contract was held against.
    if (refused === 404 && status === operationOf(id).response.status) return undefined;
    // A list goes on without a part that is refused, and returns the rows that it has when a later page cannot be had for now.
    const isPart =
      messages?.problems?.some(({ instance }) => instance.endsWith('-left-out')) === true;
    if (status === 200 && (refused === 429 ? cursor !== '' : isPart)) return undefined;
    const wanted = { 401: 502, 403: 502, 404: 404, 429: 429 }[refused];
    if (status !== wanted) return `it answers ${text}`;
    if (refused === 429) {
      const wait = Number(headers['retry-after']);
      const isTold = this.excuses.limits_without_time === undefined;
      const isRight = isTold ? Math.abs(wait - waitSeconds) <= slackSeconds : wait === 1;
      return isRight ? undefined : `wait ${wait} s`;
    }
    if (context?.provider_details?.['status'] !== String(refused))
      return `it hides the status: ${text}`;
    if (refused !== 404 && !/crd_\d/.test(message)) return `it names no credential: ${text}`;
    if (refused === 403 && needs !== undefined && !remediation.includes(`"${needs}"`))
      return `it does not name the permission ${needs}: ${text}`;
    return undefined;
  }
}

/** The vendor's response as `api/response` shows it. */
interface Shown {
  meta?: { api?: { response?: { primary?: { response?: unknown } } } };
}

/** The response to a refused request: a problem, or a list without a part. */
interface Refused {
  message?: string;
  remediation?: string;
  cursor?: string;
  messages?: { problems?: { instance: string }[] };
  context?: { provider_details?: Record<string, string> };
}

function withFewRows(id: OperationId, request: Request): Request {
  if (operationOf(id).query['limit'] === undefined) return request;
  const { limit = maxRows } = request.query ?? {};
  return { ...request, query: { ...request.query, limit: Math.min(Number(limit), maxRows) } };
}

function refusal(status: Status): FaultRule {
  return status === 429 ? { kind: 'limited', seconds: waitSeconds } : { kind: 'status', status };
}

/** Texts and numbers in a value, as JSON has them. */
function wordsOf(value: unknown): string[] {
  return leavesOf(value).flatMap(({ value: leaf }) => {
    if (typeof leaf === 'string') return [JSON.stringify(leaf).slice(1, -1)];
    return typeof leaf === 'number' ? [String(leaf)] : [];
  });
}
