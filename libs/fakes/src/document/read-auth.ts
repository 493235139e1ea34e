import type { Acceptance, Auth } from './fake-document.js';
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
    accepts: accepts.map((one) => readAcceptance(reader, one)),
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
