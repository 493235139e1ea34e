import { existsSync, readFileSync } from 'node:fs';
import type { FakeEngine, FakeRequest, FakeResponse } from '#fakes';
import { Description } from '../simulators/description.js';
import type { DescriptionOptions } from '../simulators/vendor.js';

/** Cut OpenAPI descriptions of vendors, whose licences do not let us ship them: what needs one is left out where they are absent. */
const folder = new URL('../../../../shared/providers/specs/', import.meta.url);

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'parameters']);

/** A description as JSON of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/**
 * A vendor's description, if it is there.
 * @param file such as `pagerduty.json`
 * @param correct corrects what the vendor's system does differently
 */
export function sharedDescription(
  file: string,
  options: Omit<DescriptionOptions, 'document'> = {},
  correct: (document: Json) => void = () => undefined,
): Description | undefined {
  const url = new URL(file, folder);
  if (!existsSync(url)) return undefined;
  const document = JSON.parse(readFileSync(url, 'utf8')) as Record<string, unknown>;
  correct(document);
  const paths = Object.entries(document['paths'] as Record<string, object>).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).filter(([method]) => methods.has(method))) as object,
  ]);
  return new Description({
    ...options,
    document: { ...document, paths: Object.fromEntries(paths) as object },
  });
}

/** Holds every request and every response of a fake against the vendor's description, and collects what is wrong. */
export class DescribedFake {
  readonly faults: string[] = [];

  constructor(
    private readonly fake: FakeEngine,
    private readonly description: Description,
  ) {}

  async handle(request: FakeRequest): Promise<FakeResponse> {
    const response = await this.fake.handle(request);
    if (response.broken === undefined) this.check(request, response);
    return response;
  }

  private check(request: FakeRequest, { status, headers, body }: FakeResponse): void {
    const url = new URL(request.url);
    const found = this.description.match(request.method, url.pathname);
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
    this.faults.push(...faults.map((fault) => `${place} ${status}: ${fault}`));
  }
}
