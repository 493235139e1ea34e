import type { ManagementSchemas } from '#contract';

export type Sso = ManagementSchemas['SsoConfiguration'];
export type Kind = 'oidc' | 'saml';

export interface SsoField {
  name: string;
  label: string;
  hint: string;
  isRequired: boolean;
  /** Never shown again; a change of the others keeps it if it is empty. */
  isSecret?: true;
  /** Several lines, as of a certificate, which may be pasted. */
  isLong?: true;
}

const always = { isRequired: true };
const optional = { isRequired: false };

/** Fields of each kind, in the words that identity providers use. */
export const fieldsOf: Record<Kind, readonly SsoField[]> = {
  oidc: [
    {
      name: 'issuer_url',
      label: 'Issuer',
      ...always,
      hint: 'Its address, below which /.well-known/openid-configuration is.',
    },
    {
      name: 'client_id',
      label: 'Client ID',
      ...always,
      hint: 'Of the application that you made there.',
    },
    {
      name: 'client_secret',
      label: 'Client secret',
      ...always,
      isSecret: true,
      hint: 'It is stored encrypted and never shown again.',
    },
  ],
  saml: [
    { name: 'idp_entity_id', label: 'Entity ID of the identity provider', ...always, hint: '' },
    {
      name: 'idp_sso_url',
      label: 'Sign-on URL',
      ...always,
      hint: 'Where browsers are sent to (HTTP-Redirect).',
    },
    {
      name: 'idp_certificate',
      label: 'Certificate',
      ...always,
      isSecret: true,
      isLong: true,
      hint: 'The one that it signs with, as PEM: it begins with -----BEGIN CERTIFICATE-----.',
    },
    {
      name: 'idp_metadata_url',
      label: 'Metadata URL (optional)',
      ...optional,
      hint: 'Where it publishes its metadata: once it signs with another certificate, that is taken from there.',
    },
    {
      name: 'sp_entity_id',
      label: 'Entity ID of this service',
      ...always,
      hint: 'The one above, unless your identity provider wants another.',
    },
    {
      name: 'name_id_format',
      label: 'Format of the name (optional)',
      ...optional,
      hint: 'Best is that of e-mail addresses.',
    },
  ],
};

export type Values = Readonly<Record<string, string>>;

/** Values that a configuration has, without what is never shown. */
export function valuesOf(sso: Sso | undefined, kind: Kind): Values {
  const stored = (sso?.identity_provider ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fieldsOf[kind].map(({ name }) => {
      const value = stored[name];
      return [name, typeof value === 'string' ? value : ''];
    }),
  );
}

/** Configuration of an identity provider; fields that are empty are left out. */
export function configOf(kind: Kind, values: Values): Record<string, string> {
  const given = fieldsOf[kind].map(({ name }) => [name, (values[name] ?? '').trim()] as const);
  return { type: kind, ...Object.fromEntries(given.filter(([, value]) => value !== '')) };
}
