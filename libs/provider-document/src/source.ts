// The keys of a provider document as its YAML has them. The build makes their types from provider-document.schema.json, which describes
// each; here are those that the schema has no name for, and what is made of a document before it is compiled.
import type {
  AuthorizationSource as AuthorizationKeys,
  CallSource,
  CredentialSource,
  DocumentSource,
  OperationSource,
  PageSource,
  RevocationSource as RevocationKeys,
  SendingSource,
  StepSource,
} from './generated/document-source.js';
import type { Proof } from './proof.js';

export type {
  BudgetSource,
  DocumentSource,
  ErrorSource,
  MethodSource as Method,
  OperationSource,
  PageSource,
  SendingSource,
  SessionCallSource,
  SetupSource as Setup,
  StepSource,
  TranslationSource,
  WebhookCallSource,
  WebhooksSource,
} from './generated/document-source.js';

/** How people authorize an application of the host at a provider: its keys and those that the document has for several, together. */
export type AuthorizationSource = Omit<AuthorizationKeys, 'revocation'> &
  Required<
    Pick<AuthorizationKeys, 'credential' | 'authorize_url' | 'token_url' | 'scopes' | 'source'>
  > & { revocation?: RevocationSource };

/** How granted tokens are given back, or why they cannot be. The schema says by `oneOf` that these keys exclude each other. */
export type RevocationSource =
  | ({ [Key in 'url' | 'source']: NonNullable<RevocationKeys[Key]> } & {
      [Key in 'token' | 'over']?: NonNullable<RevocationKeys[Key]>;
    })
  | { none: string };

/** A document of one provider. */
export type ProviderSource = Omit<
  DocumentSource,
  'provider' | 'providers' | 'fullname' | 'authorization' | 'proof'
> & {
  provider: string;
  fullname: string;
  authorization?: AuthorizationSource;
  proof?: Proof;
};

export type CredentialKind = Exclude<keyof CredentialSource, 'optional' | 'beside'>;
export const credentialKinds = Object.keys({
  basic: true,
  token: true,
  secret: true,
  o_auth_client: true,
  aws: true,
  aws_role: true,
  tls_certificate: true,
} satisfies Record<CredentialKind, true>) as CredentialKind[];

/** A session that a login opens. */
export type SessionSource = Extract<SendingSource, { send: 'session' }>;
/** A call that others use by its name. */
export type SharedCallSource = CallSource;
/** A request and how its response is read. */
export type RequestSource = Pick<StepSource, keyof CallSource | 'use' | 'with'>;
export type Encoding = NonNullable<StepSource['encoding']>;
export type ResponseKind = NonNullable<StepSource['answer']>;
/** A condition, and what the caller gets where it does not hold. */
export type CheckSource = NonNullable<(StepSource | OperationSource)['checks']>[number];
/** How a list is read that the provider ends early: by windows of time. */
export type WindowSource = NonNullable<PageSource['window']>;
/** The effect of an operation on the provider's records. */
export type Action = NonNullable<OperationSource['action']>;
