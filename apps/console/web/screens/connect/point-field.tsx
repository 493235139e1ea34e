import { useId } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import type { Provider } from '../../parts/provider.js';

interface Props {
  provider: Provider;
  value: string;
  onChange: (id: string) => void;
}

/** The integration point that the integration belongs to; not shown in an organization that has none for the provider. */
export function PointField({ provider, value, onChange }: Props) {
  const hint = useId();
  const query = { limit: 200, filter: `connector[eq]${provider.connector_id}` };
  const points = (useRead('integrationPoints_list', { query }).data?.result ?? []).filter(
    ({ environments: { test, prod } }) =>
      [test, prod].some((ids) => ids?.some((id) => id === provider.id || String(id) === '*')),
  );
  if (points.length === 0) return null;
  return (
    <div class="field">
      <label>
        Integration point (optional)
        <select
          value={value}
          aria-describedby={hint}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">None</option>
          {points.map(({ id, fullname }) => (
            <option key={id} value={id}>
              {fullname}
            </option>
          ))}
        </select>
      </label>
      <p class="hint" id={hint}>
        The place in your product that it is for. It brings mappings and schedules.
      </p>
    </div>
  );
}
