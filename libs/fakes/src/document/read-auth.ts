import type { Acceptance, Auth, CodeAcceptance, Revocation } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';

const defaultLifetimeSeconds = 3_600;

export function readAuth(reader: FakeReader, part: Part): Auth {
  const principals = part.get('principals')?.entries() ?? [];
  const accepts = part.get('accepts')?.items() ?? [];
  return {
    principals: new Map(
      principals.map(([name, scopes]) => [
        name,
        scopes.items().map(({ scalar }) => String(scalar)),
      ]),
    ),
    accepts: accepts.map((one) =>
      one.text('kind') === 'oauth_code'
        ? readCodes(reader, one, principals[0]?.[0] ?? '')
        : readAcceptance(reader, one),
    ),
  };
}

function readAcceptance(reader: FakeReader, part: Part): Acceptance {
  switch (part.text('kind')) {
    case 'oauth': {
      const refused = part.get('refused');
      return {
        kind: 'oauth',
        path: (part.text('token') ?? '').replace(/^POST /, ''),
        lifetimeSeconds: part.number('lifetime') ?? defaultLifetimeSeconds,
        status: part.number('status') ?? 200,
        needsGrantType: part.text('grant_type') !== 'optional',
        isSigned: part.text('grant_type') === 'signed',
        as: reader.optionalQuery(part.get('as')),
        refused: reader.raises(String(refused?.scalar), refused),
        body: reader.optionalTemplate(part.get('body')),
      };
    }
    case 'secret': {
      const secret = part.get('secret');
      return {
        kind: 'secret',
        secret: secret ? reader.readQuery(secret) : reader.constantQuery('null', part),
        as: reader.optionalQuery(part.get('as')),
      };
    }
    case 'sigv4':
      return { kind: 'sigv4', service: part.text('service') ?? '' };
    default:
      return { kind: 'basic', username: reader.optionalQuery(part.get('username')) };
  }
}

/** @param first the principal that grants where none is named */
function readCodes(reader: FakeReader, part: Part, first: string): CodeAcceptance {
  const refused = (of: string) => {
    const name = part.get('refused')?.get(of);
    return reader.raises(String(name?.scalar), name);
  };
  const clients = part.get('clients')?.entries() ?? [];
  return {
    kind: 'oauth_code',
    page: (part.text('page') ?? '').replace(/^GET /, ''),
    path: (part.text('token') ?? '').replace(/^POST /, ''),
    principal: part.text('principal') ?? first,
    vendor: part.text('vendor') ?? '',
    clients: new Map(
      clients.map(([name, client]) => [
        name,
        { lifetimeSeconds: client.number('lifetime'), refresh: client.flag('refresh') },
      ]),
    ),
    anyScopes: part.flag('any_scopes'),
    revokes: part.flag('revokes'),
    revocation: readRevocation(reader, part.get('revocation')),
    refused: {
      client: refused('client'),
      code: refused('code'),
      redirect: refused('redirect'),
      refresh: refused('refresh'),
    },
    body: reader.optionalTemplate(part.get('body')),
  };
}

function readRevocation(reader: FakeReader, part: Part | undefined): Revocation | undefined {
  if (part === undefined) return undefined;
  const [method = '', path = ''] = (part.text('route') ?? '').split(' ');
  const unknown = part.get('unknown');
  return {
    method,
    path,
    token: (part.text('token') ?? 'form') as Revocation['token'],
    unknown: unknown && reader.raises(String(unknown.scalar), unknown),
    status: part.number('status') ?? 200,
    body: reader.optionalTemplate(part.get('body')),
  };
}
