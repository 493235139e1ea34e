import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce.js';
import { Dialog } from './dialog.js';
import { Exact } from './time.js';

interface ShownSecret {
  /** Names it on the page; where there is one only, the dialog names it. */
  name: string;
  text: string;
  expires?: string;
}

interface Props {
  title: string;
  /** Says what it is for. */
  lead: ComponentChildren;
  secrets: readonly ShownSecret[];
  onClose: () => void;
  /** Notes below. */
  children?: ComponentChildren;
}

/** Shows secrets once. It cannot be closed by Escape or by a click beside it, only by somebody who has copied one or does not need it. */
export function ShownOnce({ title, lead, secrets, onClose, children }: Props) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title}>
      <p>{lead}</p>
      {secrets.map((one) => (
        <Secret key={one.name} {...one} onCopied={() => setCopied(true)} />
      ))}
      {children}
      <div class="buttons">
        <button type="button" class={isCopied ? 'primary' : ''} onClick={onClose}>
          {isCopied ? 'Done' : 'I do not need it'}
        </button>
      </div>
    </Dialog>
  );
}

function Secret({ name, text, expires, onCopied }: ShownSecret & { onCopied: () => void }) {
  const copy = () =>
    void navigator.clipboard.writeText(text).then(() => {
      announce(`${name} copied`);
      onCopied();
    });
  return (
    <div class="secret">
      {expires !== undefined && (
        <p>
          <strong>{name}</strong>{' '}
          <small>
            until <Exact time={expires} />
          </small>
        </p>
      )}
      <div class="command">
        <code tabIndex={0} aria-label={name}>
          {text}
        </code>
        <button type="button" class="small" aria-label={`Copy: ${name}`} onClick={copy}>
          Copy
        </button>
      </div>
    </div>
  );
}
