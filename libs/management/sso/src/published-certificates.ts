import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CustomFetch } from 'openid-client';
import type { Clock } from '#config';
import { readCertificates } from './certificates.js';
import { allIn, attributeOf, childOf, parseXml, type XmlElement } from './xml.js';

const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata';
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const timeoutMs = 10_000;
/** Minimum time between two requests for the same metadata, also after a failure, because strangers can cause them. */
const refreshIntervalMs = 60_000;
const maxKept = 1_000;

const log = new Logger('sso');

/**
 * Reads the signing certificates that SAML identity providers publish in their metadata: they announce new keys there.
 */
export class PublishedCertificates {
  private readonly kept = new LRUCache<string, { until: number; certificates: Promise<string[]> }>({
    max: maxKept,
  });

  constructor(
    private readonly fetch: CustomFetch,
    private readonly clock: Clock,
  ) {}

  /** Returns certificates in PEM; none if the metadata cannot be read, which is logged. */
  async of(url: string, entityId: string): Promise<string[]> {
    const key = `${url} ${entityId}`;
    const now = this.clock.now();
    const known = this.kept.get(key);
    if (known && known.until > now) return await known.certificates;
    const certificates = this.ask(url, entityId).catch((error: unknown) => {
      log.warn({
        message: 'metadata of an identity provider cannot be read',
        url,
        reason: reasonOf(error),
      });
      return [];
    });
    this.kept.set(key, { until: now + refreshIntervalMs, certificates });
    return await certificates;
  }

  private async ask(url: string, entityId: string): Promise<string[]> {
    const answer = await this.fetch(url, {
      method: 'GET',
      headers: { accept: 'application/samlmetadata+xml, application/xml;q=0.9' },
      body: null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200) throw new Error(`it returned status ${answer.status}`);
    return certificatesIn(await answer.text(), entityId);
  }
}

/** Returns the certificates with which an entity signs as an identity provider. */
export function certificatesIn(xml: string, entityId: string): string[] {
  const root = parseXml(xml, (why) => {
    throw new Error(why);
  });
  const entities = [root, ...allIn(root, metadataNamespace, 'EntityDescriptor')];
  const entity = entities.find((one) => attributeOf(one, 'entityID') === entityId);
  const role = entity && childOf(entity, metadataNamespace, 'IDPSSODescriptor');
  if (role === undefined) throw new Error(`it does not describe the identity provider ${entityId}`);
  return allIn(role, metadataNamespace, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => allIn(key, signatureNamespace, 'X509Certificate'))
    .flatMap(usable);
}

/** Returns only certificates with keys that are allowed, so that one weak key does not block the others. */
function usable(element: XmlElement): string[] {
  try {
    return readCertificates(element.textContent ?? '', '');
  } catch (error) {
    log.warn({ message: 'ignored a certificate in metadata', reason: reasonOf(error) });
    return [];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
