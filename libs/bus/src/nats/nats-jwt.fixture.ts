import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** An operator with one account and one user, as the tool nsc makes them. */
export interface JwtAccounts {
  /** The part of nats.conf that trusts them. */
  configuration: string;
  /** The content of the user's `.creds` file. */
  credentials: string;
}

/** Creates the keys and signed JWTs of a NATS server that is run with operator and accounts. */
export function createJwtAccounts(): JwtAccounts {
  const [operator, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const operatorJwt = sign(operator, operator, { type: 'operator' });
  const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true };
  const accountLimits = { ...unlimited, conn: -1, leaf: -1 };
  const accountJwt = sign(operator, account, { type: 'account', limits: accountLimits });
  const userJwt = sign(account, user, { type: 'user', subs: -1, data: -1, payload: -1 });
  const seed = Buffer.from(user.getSeed()).toString();
  return {
    configuration: [
      `operator: ${operatorJwt}`,
      'resolver: MEMORY',
      `resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
    ].join('\n'),
    credentials: `${block('NATS USER JWT', userJwt)}\n${block('USER NKEY SEED', seed)}`,
  };
}

function sign(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ jti, ...claims })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

function block(name: string, content: string): string {
  return `-----BEGIN ${name}-----\n${content}\n------END ${name}------\n`;
}
