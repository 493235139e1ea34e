import { type CompiledTemplate, LimitError, type Limits, type Value } from '@onefold/mapping';
import { fieldPlace, type SecretUse } from '#bridge';
import { ApiError } from '#contract';
import {
  type CompiledQuery,
  type CompiledSending,
  evaluate,
  evaluateTemplate,
  textOf,
} from '#provider-document';
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
  { source, queries, texts, parameters, claims, scopes }: CompiledSending,
  credential: OpenedCredential,
  context: {
    config: Value;
    place: string;
    organizationId: string;
    accountId: string;
    domain?: string | undefined;
    limits: Limits | undefined;
    /** A further name of the header with the signature of a body. */
    signatureHeader?: string | undefined;
    /** The token of the session that is opened with the credential. */
    session?: Value;
  },
): CredentialUse {
  const { place, organizationId, accountId, domain, limits, config, session } = context;
  const input: Value = { config, credential: credential.config as Value, session };
  const valueOf = (query: CompiledQuery, at: string): Value =>
    hideReason(at, () => evaluate(query, input, at, limits));
  const resultOf = (template: CompiledTemplate, at: string): Value =>
    hideReason(at, () => evaluateTemplate(template, input, at, limits));
  const expression = (key: string): string | undefined => {
    const query = queries.get(key);
    return query && textOf(valueOf(query, `${place}.${key}`));
  };
  const text = (key: string): string | undefined =>
    texts.get(key)?.((query) => valueOf(query, `${place}.${key}`));
  const valueOfBody = (): Value => {
    const query = queries.get('value');
    return query && valueOf(query, `${place}.value`);
  };
  const field = (name: string): string => textOf(credential.config[name]) ?? '';
  const owner = {
    organizationId,
    accountId,
    domain,
    credentialId: credential.id ?? place,
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
    case 'body':
      return { send: 'body', name: text('name'), value: valueOfBody() };
    case 'session':
      throw notAtHome(place); // Others are sent as their session says.
    case 'hmac_sha256':
      return {
        send: 'hmac_sha256',
        prefix: source.prefix ?? '',
        names: [source.name, ...(context.signatureHeader ? [context.signatureHeader] : [])],
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
          clientSecret: expression('secret') ?? field('client_secret'),
          scope: expression('scope'),
          parameters:
            parameters === undefined ? [] : pairs(resultOf(parameters, `${place}.parameters`)),
          client: text('client') === 'body' ? 'body' : 'basic',
          ...(claims === undefined
            ? {}
            : {
                claims: Object.fromEntries(pairs(resultOf(claims, `${place}.claims`))),
              }),
        },
        scopes: new Map(
          scopes.flatMap(({ origin, scope }, index) => {
            const at = `${place}.scopes.${index}`;
            const url = URL.parse(textOf(valueOf(origin, `${at}.origin`)) ?? '');
            const text = textOf(valueOf(scope, `${at}.scope`));
            return url && text !== undefined ? [[url.origin, text]] : [];
          }),
        ),
      };
    case 'tls': {
      const authority = field('certificate_authority');
      return {
        send: 'tls',
        certificate: {
          organizationId,
          accountId,
          credentialId: credential.id ?? place,
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

/** Runs an expression over a credential. The reason why it fails may quote the secret, so that it is left out. @throws ApiError */
function hideReason(at: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.cause instanceof LimitError) throw error;
    throw new ApiError(
      error.status,
      `the provider document failed at ${at}: the expression does not fit the credential`,
      { remediation: 'Compare the credential with what the provider takes.' },
    );
  }
}

/** The fields of the kinds of credentials, each with the place that the agent of a bridge fills. */
const homeFields = Object.fromEntries(
  ['username', 'secret', 'token_url', 'client_id', 'client_secret', 'access_key_id']
    .concat('secret_access_key')
    .map((name) => [name, fieldPlace(name)]),
);

/** Computes how bridge agents send a secret that they have. @throws ApiError 501 for what agents cannot do */
export function homeUse(
  sending: CompiledSending,
  credential: OpenedCredential & { atHome: string },
  context: Parameters<typeof credentialUse>[2],
): CredentialUse {
  // A private key would have to sign at the agent, and fields of a key file cannot be read here.
  if (sending.claims !== undefined) throw notAtHome(context.place);
  const use = credentialUse(sending, { ...credential, config: homeFields }, context);
  const { atHome: secret } = credential;
  const whole = (made: SecretUse): CredentialUse => {
    // An expression may have made something else of the place, which only a value could be put into.
    if (made.send === 'sigv4' || JSON.stringify(made).includes('{{'))
      return { send: 'bridge', use: made };
    throw notAtHome(context.place);
  };
  switch (use.send) {
    case 'basic':
    case 'header':
    case 'query':
      return whole({ ...use, secret });
    case 'client_credentials': {
      const { tokenUrl, scope = '', parameters, client } = use.request;
      const grant = {
        token_url: tokenUrl,
        scope,
        client,
        parameters: parameters.map(([...pair]): [string, string] => pair),
      };
      const { scopes } = use;
      return { send: 'bridge', use: { send: 'client_credentials', secret, ...grant }, scopes };
    }
    case 'sigv4':
      return whole({ send: 'sigv4', secret, service: use.service ?? '', region: use.region });
    default:
      throw notAtHome(context.place);
  }
}

function notAtHome(place: string): ApiError {
  return new ApiError(
    501,
    `bridge agents cannot send a secret as ${place} of the document wants it`,
    {
      remediation: 'Use a credential that the service stores.',
    },
  );
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
