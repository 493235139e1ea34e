import { Injectable } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import { ApiError } from '#contract';
import { MappingError } from '#mapping';
import { compileProvider } from './document/compile-provider.js';
import { documentProvider } from './document/document-provider.js';
import type { Provider } from './provider.js';

/** Compiled documents at most; the least recently used goes first. */
const most = 200;

/** The providers of customers' own documents, compiled when they are first used. */
@Injectable()
export class CustomProviders {
  private readonly known = new Map<string, Provider>();

  /** @throws ApiError 502 when the document, which was right when it was stored, is not any more */
  get({ id, version, data }: NonNullable<ResolvedIntegration['providerDocument']>): Provider {
    const key = `${id} ${version}`;
    const found = this.known.get(key) ?? compile(id, data);
    this.known.delete(key);
    this.known.set(key, found);
    const oldest = this.known.size > most ? this.known.keys().next().value : undefined;
    if (oldest !== undefined) this.known.delete(oldest);
    return found;
  }
}

function compile(id: string, data: string): Provider {
  try {
    return documentProvider(compileProvider(data));
  } catch (cause) {
    if (!(cause instanceof MappingError)) throw cause;
    throw new ApiError(502, `the custom provider ${id} is wrong: ${cause.message}`, {
      remediation: 'Correct it with PUT /v1/customs/….',
      cause,
    });
  }
}
