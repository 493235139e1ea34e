import { plain, type Schema } from '../../forms/schema.js';
import type { ApiDocument } from '../../api/api-documents.js';

/** Fields that a body may contain, from the contract. */
export function BodyFields({ schema, api: { resolve } }: { schema: Schema; api: ApiDocument }) {
  const { properties = {}, required = [] } = plain(schema, resolve);
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{all.length === 1 ? 'Its field' : `Its ${all.length} fields`}</summary>
      <ul class="bullets">
        {all.map(([name, one]) => {
          const { type, enum: values, description } = plain(one, resolve);
          const kind = values?.map(String).join(', ') ?? [type ?? 'object'].flat().join(' or ');
          return (
            <li key={name}>
              <code>{name}</code>
              {required.includes(name) && <strong> needed</strong>} <small>{kind}</small>{' '}
              {description}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
