import type { Call, CallRecording, ManagementSchemas } from '#contract';
import type { ProviderRequest, ProviderResponse, Redactor, SentExchange } from '#provider-http';
import type { Sealer } from '#secrets';
import type { RecordedCall, RecordedRun } from '#store';
import type { ConnectorCall } from '../connector-call.js';
import { showBody, showHeaders } from '../document/show-request.js';
import { type KeptText, keepText, maxBody, showText } from './recorded-text.js';

type RecordedExchange = ManagementSchemas['RecordedExchange'];

/** Maximum number of characters of all bodies of a call, and of its exchanges. */
export const maxCall = 1_048_576;
export const maxExchanges = 50;

/** Headers of answers that may hold a secret that the connector does not know. */
const secretHeaders = [
  'authentication-info',
  'authorization',
  'set-cookie',
  'set-cookie2',
  'x-auth-token',
  'x-csrf-token',
  'x-subject-token',
];

/** A request with its answer, before secrets are removed. */
interface KeptExchange {
  redactor: Redactor;
  sent: Pick<ProviderRequest, 'method' | 'url' | 'headers' | 'secretHeaders'>;
  request: KeptText | undefined;
  status: number | undefined;
  headers: Readonly<Record<string, string>>;
  response: KeptText | undefined;
}

/** Keeps the bodies of a call in memory until its end. What is beyond the limits is left out, and counted. */
export class BodyRecording implements CallRecording {
  size = 0;
  private readonly exchanges: KeptExchange[] = [];
  private readonly redactors = new Set<Redactor>();
  private omittedExchanges = 0;
  private run: RecordedRun | string = 'it ran no operation';
  private call: { path: object; query: object; request?: KeptText; response?: KeptText } = {
    path: {},
    query: {},
  };

  constructor(
    private readonly sealing: { sealer: Sealer; dataKey: string; accountId: string },
    private readonly now: () => number,
  ) {}

  /** Notes a run of an operation. @param isFile the run passes a file, which is not recorded */
  begin(
    call: ConnectorCall,
    as: string,
    { raw, isFile, redactor }: { raw: boolean; isFile: boolean; redactor: Redactor },
  ): void {
    const isFirst = this.redactors.size === 0;
    this.redactors.add(redactor);
    const { meta, idempotencyKey, batchId = idempotencyKey } = call;
    const path = call.path as RecordedRun['path'];
    const query = call.query as RecordedRun['query'];
    if (isFile) this.run = 'it passes a file';
    else if (!isFirst) this.run = 'it ran more than one operation';
    else this.run = { as, raw, path, query, meta, at: this.now(), ...(batchId && { batchId }) };
  }

  /** Adds an attempt of a request. @param sent absent for a login @param answer absent if there was none */
  add(
    { method, url, status, bytes }: SentExchange,
    redactor: Redactor,
    sent: ProviderRequest | undefined,
    answer: ProviderResponse | undefined,
  ): void {
    if (this.exchanges.length >= maxExchanges) {
      this.omittedExchanges += 1;
      return;
    }
    this.exchanges.push({
      redactor,
      sent: {
        method,
        url: sent?.url ?? url,
        headers: sent?.headers ?? {},
        secretHeaders: sent?.secretHeaders ?? [],
      },
      request: sent?.body === undefined ? undefined : this.keep(showBody(sent.body)),
      status,
      headers: sent && answer ? answer.headers : {},
      response: sent && answer ? this.keepResponse(sent, answer, bytes) : undefined,
    });
  }

  finish(
    { path, query, rawBody }: Pick<Call, 'path' | 'query' | 'rawBody'>,
    answer?: Uint8Array,
  ): void {
    this.call = { path, query };
    if (rawBody.length > 0) this.call.request = this.keep(Buffer.from(rawBody).toString());
    if (answer !== undefined) this.call.response = this.keep(Buffer.from(answer).toString());
  }

  seal(): string {
    const { sealer, dataKey, accountId } = this.sealing;
    return sealer.seal(dataKey, accountId, JSON.stringify(this.show()));
  }

  private show(): RecordedCall {
    const hide = (text: string) => {
      for (const redactor of this.redactors) text = redactor.text(text);
      return text;
    };
    const hideAll = <T>(value: T) => JSON.parse(hide(JSON.stringify(value))) as T;
    const { path, query, request, response } = this.call;
    return {
      bodies: {
        path: hideAll(path as Record<string, unknown>),
        query: hideAll(query as Record<string, unknown>),
        ...(request && { request: showText(request, hide) }),
        ...(response && { response: showText(response, hide) }),
        exchanges: this.exchanges.map(showExchange),
        omitted_exchanges: this.omittedExchanges,
      },
      run: hideAll(this.run),
    };
  }

  private keep(text: string, max = maxBody): KeptText {
    const kept = keepText(text, Math.min(max, maxCall - this.size));
    this.size += kept.text.length;
    return kept;
  }

  /** A body that is read as bytes is not kept, only told; nothing is known of one that is passed on. */
  private keepResponse(
    { answer: kind }: ProviderRequest,
    { status, text }: ProviderResponse,
    bytes: number | undefined,
  ): KeptText | undefined {
    if (bytes === undefined) return undefined;
    const isText = kind !== 'binary' || status >= 300;
    return isText ? this.keep(text) : { text: '', max: 0, size: bytes };
  }
}

function showExchange(one: KeptExchange): RecordedExchange {
  const { redactor, sent, request, status, headers, response } = one;
  const hide = (text: string) => redactor.text(text);
  return {
    method: sent.method,
    url: hide(sent.url.href),
    request_headers: showHeaders(sent.headers, sent.secretHeaders, redactor),
    ...(request && { request: showText(request, hide) }),
    ...(status === undefined ? {} : { status }),
    response_headers: showHeaders(headers, secretHeaders, redactor),
    ...(response && { response: showText(response, hide) }),
  };
}
