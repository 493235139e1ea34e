import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { Confirm } from '../../parts/confirm.js';
import { ShownOnce } from '../../parts/shown-once.js';

const secretBytes = 24;

/** A secret as the libraries of Standard Webhooks expect it. */
export function newSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...random))}`;
}

/** Shows the secret of a webhook once. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="The secret of this webhook"
      lead="Your receiver checks the signature by it. It is shown only now."
      secrets={[{ name: 'Secret', text: secret }]}
      onClose={onClose}
    />
  );
}

/** Gives a webhook another secret, and shows it once. */
export function ReplaceWebhookSecret({
  webhook,
  onClose,
}: {
  webhook: ManagementSchemas['OrganizationWebhook'];
  onClose: () => void;
}) {
  const [secret] = useState(newSecret);
  const [isReplaced, setReplaced] = useState(false);
  if (isReplaced) return <WebhookSecret secret={secret} onClose={onClose} />;
  const replace = async (signal: AbortSignal) => {
    const path = { ownerId: webhook.id, credentialId: webhook.credential_id };
    const body = [{ op: 'replace', path: '/config', value: { type: 'secret', secret } }];
    await call('credentials_patch', { path, body }, signal);
    setReplaced(true);
  };
  return (
    <Confirm
      title={`Replace the secret of ${webhook.fullname}?`}
      operation="credentials_patch"
      action="Replace secret"
      work={replace}
      onClose={onClose}
    >
      <p>
        Deliveries are signed with the new secret at once, so your receiver refuses them until it
        has it. What it refuses is sent again later.
      </p>
    </Confirm>
  );
}
