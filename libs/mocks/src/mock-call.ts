import type { ProviderCall } from '#connect';
import type { OnExchange, OpenedCredential } from '#provider-http';
import type { OpenMock } from './mock-integrations.js';

/** A call of a mock: it goes to the fake, with the credentials and the configuration of the fake. */
export class MockCall implements ProviderCall {
  readonly http: ProviderCall['http'];
  readonly integration: ProviderCall['integration'];
  readonly redactor: ProviderCall['redactor'];
  readonly usage: ProviderCall['usage'];
  readonly path: ProviderCall['path'];
  readonly query: ProviderCall['query'];
  readonly list: ProviderCall['list'];
  readonly clock: ProviderCall['clock'];
  readonly problems: ProviderCall['problems'];
  readonly deadline: number;
  readonly pollUntil: number;

  constructor(
    private readonly call: ProviderCall,
    private readonly mock: OpenMock,
    providerConfig: Record<string, unknown>,
  ) {
    this.http = call.isReplay ? call.http : mock.http;
    this.integration = { ...call.integration, providerConfig };
    this.redactor = call.redactor;
    this.usage = call.usage;
    this.path = call.path;
    this.query = call.query;
    this.list = call.list;
    this.clock = call.clock;
    this.problems = call.problems;
    this.deadline = call.deadline;
    this.pollUntil = call.pollUntil;
  }

  get signal(): ProviderCall['signal'] {
    return this.call.signal;
  }

  get write(): ProviderCall['write'] {
    return this.call.write;
  }

  get jobBatchId(): string | undefined {
    return this.call.jobBatchId;
  }

  get range(): string | undefined {
    return this.call.range;
  }

  credential(slot: string): OpenedCredential | undefined {
    return this.mock.credentials.get(slot);
  }

  get onExchange(): OnExchange | undefined {
    return this.call.onExchange;
  }

  get isReplay(): boolean {
    return this.call.isReplay === true;
  }

  onResponse(shown: Parameters<ProviderCall['onResponse']>[0], primary: boolean): void {
    this.call.onResponse(shown, primary);
  }
}
