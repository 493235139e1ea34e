import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { selfSigned } from '../../../../test/api/identity-providers/certificate.js';
import { certificatesIn, PublishedCertificates } from './published-certificates.js';

beforeAll(() => {
  Logger.overrideLogger(false);
});
afterAll(() => {
  Logger.overrideLogger(['warn']);
});

const own = selfSigned().certificate.trim();
const other = selfSigned().certificate.trim();
const weak = selfSigned(1_024).certificate.trim();
const bare = (certificate: string) => certificate.replaceAll(/-----[^-]+-----|\s/g, '');
const key = (certificate: string, use: string) =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${bare(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const entity = (id: string, keys: string, role = 'IDPSSODescriptor') =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"><md:${role}>${keys}</md:${role}></md:EntityDescriptor>`;

it('takes the signing certificates of the entity, those without a use too, and no weak ones', () => {
  const keys = [
    key(own, ' use="signing"'),
    key(other, ''),
    key(weak, ' use="signing"'),
    key(own, ' use="encryption"'),
  ].join('');
  expect(certificatesIn(entity('urn:idp', keys), 'urn:idp')).toEqual([own, other]);
});

it('finds only the entity in the metadata of a federation', () => {
  const all = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${entity('urn:a', key(own, ''))}${entity('urn:b', key(other, ''))}</md:EntitiesDescriptor>`;
  expect(certificatesIn(all, 'urn:b')).toEqual([other]);
  expect(() => certificatesIn(all, 'urn:c')).toThrow('the identity provider urn:c');
  const service = entity('urn:sp', key(own, ''), 'SPSSODescriptor');
  expect(() => certificatesIn(service, 'urn:sp')).toThrow('the identity provider urn:sp');
});

it('refuses a document type', () => {
  expect(() => certificatesIn('<!DOCTYPE x [<!ENTITY e "e">]><x/>', 'urn:a')).toThrow(
    'document type',
  );
});

it('requests metadata once a minute, also after a failure', async () => {
  let now = 0;
  const asked: string[] = [];
  const published = new PublishedCertificates(
    async (url) => {
      asked.push(url);
      return url.endsWith('good')
        ? new Response(entity('urn:a', key(own, '')))
        : new Response('', { status: 404 });
    },
    { now: () => now },
  );
  for (let count = 0; count < 3; count += 1) {
    expect(await published.of('https://a/good', 'urn:a')).toEqual([own]);
    expect(await published.of('https://a/bad', 'urn:a')).toEqual([]);
  }
  expect(asked).toEqual(['https://a/good', 'https://a/bad']);
  now += 61_000;
  await published.of('https://a/good', 'urn:a');
  expect(asked).toHaveLength(3);
});
