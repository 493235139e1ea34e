import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { announce } from './announce.js';
import { Dialog } from './dialog.js';
import { Exact } from './time.js';

interface Props {
  title: string;
  lead: string;
  pair: ManagementSchemas['TokenPair'];
  onClose: () => void;
}

/** Shows new secrets once. It cannot be closed by Escape or by a click beside it, only by somebody who has copied one or does not need it. */
export function NewSecret({ title, lead, pair, onClose }: Props) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title}>
      <p>{lead}</p>
      <Secret name="Token" {...pair.access} onCopied={() => setCopied(true)} />
      <Secret name="Refresh secret" {...pair.refresh} onCopied={() => setCopied(true)} />
      <p class="hint">The refresh secret renews the token and can do nothing else.</p>
      <div class="buttons">
        <button type="button" class={isCopied ? 'primary' : ''} onClick={onClose}>
          {isCopied ? 'Done' : 'I do not need it'}
        </button>
      </div>
    </Dialog>
  );
}

interface SecretProps {
  name: string;
  secret: string;
  expires: string;
  onCopied: () => void;
}

function Secret({ name, secret, expires, onCopied }: SecretProps) {
  const copy = () =>
    void navigator.clipboard.writeText(secret).then(() => {
      announce(`${name} copied`);
      onCopied();
    });
  return (
    <div class="secret">
      <p>
        <strong>{name}</strong>{' '}
        <small>
          until <Exact time={expires} />
        </small>
      </p>
      <div class="command">
        <code tabIndex={0}>{secret}</code>
        <button type="button" class="small" aria-label={`Copy: ${name}`} onClick={copy}>
          Copy
        </button>
      </div>
    </div>
  );
}
