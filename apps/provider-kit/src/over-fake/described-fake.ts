import type { FakeEngine, FakeRequest, FakeResponse } from '#fakes';

/** A vendor's description of its API, as far as a fake is held against it. Each method that returns texts returns one for each fault. */
export interface VendorDescription {
  match(
    method: string,
    path: string,
    body: Uint8Array,
  ): { operation: unknown; params: unknown } | undefined;
  readParameters(
    operation: unknown,
    params: unknown,
    search: URLSearchParams,
    headers: Record<string, string>,
  ): { faults: string[] };
  checkAnswer(
    operation: unknown,
    status: number,
    contentType: string | undefined,
    body: unknown,
  ): string[];
  /** Lists the fields of an answer that the description does not have. */
  unknownFields(
    operation: unknown,
    status: number,
    contentType: string | undefined,
    body: unknown,
  ): string[];
}

/** Holds every request and every response of a fake against the vendor's description, and collects what is wrong. */
export class DescribedFake {
  readonly faults: string[] = [];
  /** Fields of responses that the description does not have. */
  readonly unknownFields = new Set<string>();

  constructor(
    private readonly fake: FakeEngine,
    private readonly description: VendorDescription,
  ) {}

  async handle(request: FakeRequest): Promise<FakeResponse> {
    const response = await this.fake.handle(request);
    if (response.broken === undefined) this.check(request, response);
    return response;
  }

  private check(request: FakeRequest, { status, headers, body }: FakeResponse): void {
    const url = new URL(request.url);
    const { body: sentBody } = request;
    const bytes = sentBody instanceof Uint8Array ? sentBody : new Uint8Array();
    const found = this.description.match(request.method, url.pathname, bytes);
    const place = `${request.method} ${url.pathname}`;
    if (found === undefined) {
      this.faults.push(`${place} is not in the description`);
      return;
    }
    const { operation, params } = found;
    const sent = { ...request.headers };
    const read = this.description.readParameters(operation, params, url.searchParams, sent);
    const type = headers['content-type']?.split(';')[0];
    const value: unknown =
      type === 'application/json' && body.length > 0
        ? JSON.parse(Buffer.from(body).toString())
        : undefined;
    const faults = [
      ...(status < 400 ? read.faults : []),
      ...this.description.checkAnswer(operation, status, type, value),
    ];
    if (status < 300)
      for (const field of this.description.unknownFields(operation, status, type, value))
        this.unknownFields.add(`${place}: the description has no field ${field}`);
    this.faults.push(...faults.map((fault) => `${place} ${status}: ${fault}`));
  }
}
