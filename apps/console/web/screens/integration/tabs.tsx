import { Link } from '../../parts/link.js';

const labels = {
  health: 'Health',
  requests: 'Requests',
  mappings: 'Mappings',
  schedules: 'Schedules',
  webhooks: 'Webhooks',
  settings: 'Settings',
  tokens: 'Tokens',
} as const;

export type Tab = keyof typeof labels;

/** Returns the tab that an address names; the first one if it names none, or one of another version. */
export function tabOf(search: URLSearchParams): Tab {
  const name = search.get('tab') ?? '';
  return name in labels ? (name as Tab) : 'health';
}

/** Links to the tabs of an integration: each has an address, so Back and a new window do what they do for links. */
export function Tabs({ address, current }: { address: string; current: Tab }) {
  return (
    <nav class="tabs" aria-label="Tabs of the integration">
      {Object.entries(labels).map(([name, label]) => (
        <Link
          key={name}
          to={name === 'health' ? address : `${address}?tab=${name}`}
          aria-current={name === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
