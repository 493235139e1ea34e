import type { ManagementSchemas } from '#contract';
import { ShownOnce } from './shown-once.js';

interface Props {
  title: string;
  lead: string;
  pair: ManagementSchemas['TokenPair'];
  onClose: () => void;
}

/** Shows a new pair of secrets once. */
export function NewSecret({ title, lead, pair: { access, refresh }, onClose }: Props) {
  return (
    <ShownOnce
      title={title}
      lead={lead}
      onClose={onClose}
      secrets={[
        { name: 'Token', text: access.secret, expires: access.expires },
        { name: 'Refresh secret', text: refresh.secret, expires: refresh.expires },
      ]}
    >
      <p class="hint">The refresh secret renews the token and can do nothing else.</p>
    </ShownOnce>
  );
}
