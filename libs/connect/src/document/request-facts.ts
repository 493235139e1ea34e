import type { FailedCall, ProviderRequest, Redactor } from '#provider-http';

/** The facts about a request. As a class: V8 makes a slow dictionary of each literal whose getter is another function than before. */
export class RequestFacts implements FailedCall {
  constructor(
    readonly provider: string,
    private readonly request: ProviderRequest,
    readonly credentialId: string | undefined,
    readonly needs: string | undefined,
    readonly redactor: Redactor,
  ) {}

  get method(): string {
    return this.request.method;
  }

  get address(): string {
    const { origin, pathname } = this.request.url;
    return this.redactor.text(`${origin}${pathname}`);
  }
}
