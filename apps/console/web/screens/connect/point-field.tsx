import { useRead } from '../../api/query.js';
import { environmentName } from '../../parts/environment.js';
import type { Provider } from '../../parts/provider.js';
import { RecordChoice } from '../../parts/record-choice.js';
import type { Account } from './account.js';

interface Props {
  account: Account;
  provider: Provider;
  /** Id of the point; empty for none. */
  value: string;
  fault: string | undefined;
  onChange: (id: string) => void;
}

/**
 * The integration point that the integration belongs to, of those that allow the provider in the environment of the customer; not shown in
 * an organization that has none.
 */
export function PointField({ account, provider, value, fault, onChange }: Props) {
  const { environment } = account;
  const filter = [
    `connector[eq]${provider.connector_id}`,
    `environments.${environment}[eq]${provider.id}`,
  ];
  const points = useRead('integrationPoints_list', { query: { limit: 1, filter } });
  if (!points.data?.result.length) return null;
  return (
    <RecordChoice
      operation="integrationPoints_list"
      kind="integration point"
      filter={filter}
      label="Integration point (optional)"
      hint={`The place in your product that it is for. It brings mappings and schedules. Those that allow ${provider.fullname} for customers in ${environmentName(environment)} are offered.`}
      first={[{ value: '', label: 'None' }]}
      chosen={value}
      fault={fault}
      detailOf={({ name }) => name}
      onChoose={onChange}
    />
  );
}
