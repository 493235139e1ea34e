import { ApiError } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import {
  type CompiledCall,
  type CompiledProvider,
  type CompiledStep,
  evaluate,
  evaluateTemplate,
  isOrigin,
  textOf,
} from '#provider-document';
import { pairs } from '#provider-http';

/** Input of the expressions of addresses. */
interface AddressParts {
  /** `provider_config` of the integration. */
  readonly config: Value;
  readonly limits: Limits | undefined;
  /** Removes secrets from a text. */
  shown(text: string): string;
  /** The fields of the first credential. */
  openedCredential(): Readonly<Record<string, unknown>> | undefined;
}

/** The addresses of the requests of a document for one integration, and the origins that may get its credential. */
export class Addresses {
  private known: string | undefined;

  constructor(
    private readonly provider: CompiledProvider,
    private readonly parts: AddressParts,
  ) {}

  /** Returns the address of a step's request. @throws ApiError if the document computes none */
  compute(step: CompiledCall & Partial<CompiledStep>, input: Value): URL {
    if (step.url === undefined) return this.address(step, input);
    const text = textOf(evaluate(step.url, input, `${step.place}.url`, this.parts.limits)) ?? '';
    if (URL.canParse(text)) return this.withQuery(new URL(text), step, input);
    throw new ApiError(
      502,
      `the provider document failed at ${step.place}.url: the value is not a URL`,
      {
        context: { raw_error: this.parts.shown(text).slice(0, 500) },
      },
    );
  }

  /** The origin of the provider. @throws ApiError 502 if its address is none */
  get origin(): string {
    return (this.known ??= this.baseUrl().origin);
  }

  /** Sends the credential only to origins that the document names, even if the provider returned the address. */
  checkOrigin({ origin }: URL): void {
    const trusted = this.trustedOrigins();
    if (trusted.includes(origin)) return;
    throw new ApiError(
      502,
      `refusing to send the credential to ${origin}: not a configured origin of ${this.provider.source.fullname}`,
      {
        remediation: `It is sent to ${trusted.join(', ')} only (base_url and http.origins of the provider document).`,
      },
    );
  }

  private trustedOrigins(): string[] {
    const { source, addresses } = this.provider;
    const computed = addresses.flatMap((query) => {
      const address = textOf(
        evaluate(query, { config: this.parts.config }, 'http.origins', this.parts.limits),
      );
      return address !== undefined && URL.canParse(address) ? new URL(address).origin : [];
    });
    const constant = (source.http.origins ?? []).filter(isOrigin);
    return [this.baseUrl().origin, ...constant, ...computed];
  }

  private address(step: CompiledCall, input: Value): URL {
    const path = step.path((query) =>
      evaluate(query, input, `${step.place}.path`, this.parts.limits),
    );
    const base = this.baseUrl();
    const above = path === '' ? base.pathname : base.pathname.replace(/\/$/, '');
    const url = new URL(`${base.origin}${above}${path}`);
    if (base.search !== '')
      for (const [name, value] of base.searchParams) url.searchParams.append(name, value);
    return this.withQuery(url, step, input);
  }

  private withQuery(url: URL, step: CompiledCall, input: Value): URL {
    const query =
      step.query && evaluateTemplate(step.query, input, `${step.place}.query`, this.parts.limits);
    if (query !== undefined)
      for (const [name, value] of pairs(query)) url.searchParams.append(name, value);
    return url;
  }

  /** Resolves the address of a next page. It must have the provider's origin, because it gets the credential. */
  resolveNext(text: string): URL {
    const base = this.baseUrl();
    const url = new URL(text, base);
    if (url.origin !== base.origin)
      throw new ApiError(502, `the next page is at ${url.origin} instead of ${base.origin}`, {
        remediation: 'Check the address in provider_config.',
      });
    return url;
  }

  private baseUrl(): URL {
    const value =
      textOf(
        evaluate(
          this.provider.baseUrl,
          this.addressInput(),
          this.provider.baseUrlPlace,
          this.parts.limits,
        ),
      ) ?? '';
    const url = URL.parse(value);
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
    throw new ApiError(
      502,
      `the address "${this.parts.shown(value).slice(0, 100)}" of the provider must be an https or http address`,
      { remediation: 'Correct it in provider_config; write it as https://host/path.' },
    );
  }

  /** The credential is opened only for documents whose address is part of it. */
  private addressInput(): Record<string, Value> {
    const { config } = this.parts;
    if (!this.provider.baseUrlReadsCredential) return { config };
    return { config, credential: { ...this.parts.openedCredential() } };
  }
}
