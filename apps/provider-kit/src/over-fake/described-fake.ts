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
  /** Lists what is wrong with the body of a request, where the description says that. */
  checkBody?(operation: unknown, contentType: string | undefined, body: unknown): string[];
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
    /** Matches faults of places that are missing in the description. */
    private readonly undescribed = /^$/,
  ) {}

  async handle(request: FakeRequest): Promise<FakeResponse> {
    const response = await this.fake.handle(request);
    // A fault of a test is not what the vendor describes.
    if (response.fault === undefined) this.check(request, response);
    return response;
  }

  private check(request: FakeRequest, { status, headers, body }: FakeResponse): void {
    const url = new URL(request.url);
    const { body: sentBody } = request;
    const bytes = sentBody instanceof Uint8Array ? sentBody : new Uint8Array();
    const found = this.description.match(request.method, url.pathname, bytes);
    const place = `${request.method} ${url.pathname}`;
    if (found === undefined) return this.report([`${place} is not in the description`]);
    const { operation, params } = found;
    const sent = { ...request.headers };
    const read = this.description.readParameters(operation, params, url.searchParams, sent);
    const type = mediaTypeOf(headers['content-type']);
    const value = isJson(type) && body.length > 0 ? parseJson(body) : undefined;
    const sentType = bytes.length > 0 ? mediaTypeOf(sent['content-type']) : undefined;
    const sentValue = isJson(sentType) ? parseJson(bytes) : undefined;
    const faults = [
      ...(status < 400
        ? [...read.faults, ...(this.description.checkBody?.(operation, sentType, sentValue) ?? [])]
        : []),
      ...this.description.checkAnswer(operation, status, type, value),
    ];
    if (status < 300)
      for (const field of this.description.unknownFields(operation, status, type, value))
        this.addField(`${place}: the description has no field ${field}`);
    this.report(faults.map((fault) => `${place} ${status}: ${fault}`));
  }

  private report(faults: readonly string[]): void {
    this.faults.push(...faults.filter((one) => !this.undescribed.test(one)));
  }

  private addField(field: string): void {
    if (!this.undescribed.test(field)) this.unknownFields.add(field);
  }
}

/** Whether a media type is JSON, such as `application/vnd.api+json`. */
function isJson(type: string | undefined): boolean {
  return type === 'application/json' || type?.endsWith('+json') === true;
}

function mediaTypeOf(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}

function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}
