import { servedSchemas } from '#contract';
import { storedKind } from './credential-names.js';
import { type CredentialKind, credentialKinds } from './source.js';

type Schema = Record<string, unknown> & { 'x-secret'?: boolean };

let known: ReadonlyMap<CredentialKind, Record<string, Schema>> | undefined;

/** Fields of a kind as in the contract, with its secrets marked `writeOnly`. */
function fieldsOf(name: string): Record<string, Schema> {
  known ??= readFields();
  const kind = storedKind(name);
  return (kind && known.get(kind)) ?? {};
}

function readFields(): ReadonlyMap<CredentialKind, Record<string, Schema>> {
  const schemas = Object.values(
    servedSchemas<{ properties?: Record<string, Schema> }>('management'),
  );
  return new Map(
    credentialKinds.map((kind) => {
      const schema = schemas.find(
        ({ properties }) =>
          properties?.['type']?.['const'] === kind && properties['value'] === undefined,
      );
      const { type: _type, ...fields } = schema?.properties ?? {};
      return [
        kind,
        Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, marked(one)])),
      ];
    }),
  );
}

function marked({ 'x-secret': isSecret, ...schema }: Schema): Schema {
  return isSecret === true ? { ...schema, writeOnly: true } : schema;
}

/** JSON Schema of a credential slot that accepts kinds by these names, each inline or by the id of a stored one. */
export function credentialSchema(names: readonly string[]): Schema {
  return {
    type: 'object',
    description: `A credential: ${names.join(' or ')}.`,
    required: ['type'],
    properties: {
      type: { type: 'string', enum: names.flatMap((name) => [name, `${name}_id`]) },
      ...Object.assign({}, ...names.map(fieldsOf)),
      value: {
        type: 'string',
        description: 'The id or name of a stored credential, where type ends in _id.',
      },
    },
  };
}
