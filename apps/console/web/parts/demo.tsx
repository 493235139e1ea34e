interface Labelled {
  labels?: readonly string[] | null;
}

/** Label of the accounts that the first start fills with made-up systems. */
export const demoLabel = 'onefold-demo';

/** Marks an account whose data is made up. */
export function DemoBadge({ of }: { of: Labelled }) {
  if (of.labels?.includes(demoLabel) !== true) return null;
  return <span class="badge">demo data</span>;
}
