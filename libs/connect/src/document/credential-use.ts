import type { Limits, Value } from '@onefold/mapping';
import { type CompiledSending, evaluate, evaluateTemplate, textOf } from '#provider-document';
import {
  type CredentialUse,
  type OpenedCredential,
  pairs,
  type RoleRequest,
  type TokenOwner,
} from '#provider-http';

/**
 * Computes how a credential is sent: the document says how, the credential and the configuration have the values.
 * @param place where the document says it
 */
export function credentialUse(
  { source, queries, texts, parameters }: CompiledSending,
  credential: OpenedCredential,
  context: {
    config: Value;
    place: string;
    organizationId: string;
    accountId: string;
    limits: Limits | undefined;
  },
): CredentialUse {
  const { place, organizationId, accountId, limits } = context;
  const input: Value = { config: context.config, credential: credential.config as Value };
  const expression = (key: string): string | undefined => {
    const query = queries.get(key);
    return query && textOf(evaluate(query, input, `${place}.${key}`, limits));
  };
  const text = (key: string): string | undefined =>
    texts.get(key)?.((query) => evaluate(query, input, `${place}.${key}`, limits));
  const field = (name: string): string => textOf(credential.config[name]) ?? '';
  const owner = {
    ...{ organizationId, accountId, credentialId: credential.id ?? place },
    isStored: credential.isStored !== false,
  };
  switch (source.send) {
    case 'basic':
      return {
        send: 'basic',
        username: expression('username') ?? field('username'),
        password: expression('password') ?? field('secret'),
      };
    case 'header':
    case 'query':
      return {
        send: source.send,
        name: text('name') ?? source.name,
        value: expression('value') ?? '',
      };
    case 'hmac_sha256':
      return {
        ...{ send: 'hmac_sha256', name: source.name, prefix: source.prefix ?? '' },
        secret: expression('secret') ?? field('secret'),
      };
    case 'address':
      return { send: 'address', value: expression('value') ?? '' };
    case 'client_credentials':
      return {
        send: 'client_credentials',
        request: {
          ...owner,
          tokenUrl: expression('token_url') ?? field('token_url'),
          clientId: field('client_id'),
          clientSecret: field('client_secret'),
          scope: expression('scope'),
          parameters:
            parameters === undefined
              ? []
              : pairs(evaluateTemplate(parameters, input, `${place}.parameters`, limits)),
          client: text('client') === 'body' ? 'body' : 'basic',
        },
      };
    case 'tls': {
      const authority = field('certificate_authority');
      return {
        send: 'tls',
        certificate: {
          ...{ organizationId, accountId, credentialId: credential.id ?? place },
          certificate: field('certificate'),
          privateKey: field('private_key'),
          ...(authority === '' ? {} : { authority }),
        },
      };
    }
    case 'azure_storage':
      return { send: 'azure_storage', secret: expression('secret') ?? field('secret') };
    case 'sigv4': {
      const region = expression('region') ?? 'us-east-1';
      const { service } = source;
      const keys =
        credential.kind === 'aws_role'
          ? roleOf(credential, owner, region)
          : {
              accessKeyId: field('access_key_id'),
              secretAccessKey: field('secret_access_key'),
              sessionToken: textOf(credential.config['session']),
            };
      return { send: 'sigv4', service, region, keys };
    }
  }
}

/** Returns the role that a credential names. */
function roleOf({ config }: OpenedCredential, owner: TokenOwner, region: string): RoleRequest {
  const { duration } = config;
  return {
    ...owner,
    roleArn: textOf(config['role_arn']) ?? '',
    externalId: textOf(config['external_id']) ?? '',
    sessionName: textOf(config['role_session_name']),
    duration: typeof duration === 'number' ? duration : undefined,
    region,
  };
}
