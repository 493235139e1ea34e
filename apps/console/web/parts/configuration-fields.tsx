import type { ComponentChild } from 'preact';
import { useRead } from '../api/query.js';
import { type Field, readFields } from '../forms/fields.js';
import { hasReferences, resolverOf, type Schema } from '../forms/schema.js';
import { Loaded } from './loaded.js';

interface Props {
  /** The schema of the configuration of a provider. */
  schema: unknown;
  children: (fields: readonly Field[]) => ComponentChild;
}

/** Reads the fields of a configuration. Only some schemas refer to the API's own document, which is large, so others do not wait for it. */
export function ConfigurationFields({ schema: given, children }: Props) {
  const schema = (given ?? {}) as Schema;
  if (!hasReferences(schema))
    return children(readFields(schema, '/provider_config', () => undefined));
  return <Resolved schema={schema}>{children}</Resolved>;
}

function Resolved({ schema, children }: { schema: Schema; children: Props['children'] }) {
  const read = useRead('meta_management_openapi_spec');
  return (
    <Loaded of={read} lines={6}>
      {(document) => children(readFields(schema, '/provider_config', resolverOf(document)))}
    </Loaded>
  );
}
