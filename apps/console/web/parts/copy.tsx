import { useState } from 'preact/hooks';
import { announce } from './announce.js';

/** Copies a text; says so on the button and to screen readers. @param name what is copied, for the button's name */
export function Copy({
  text,
  name,
  label = 'Copy',
}: {
  text: string;
  name: string;
  label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      announce(`${name} copied`);
      setTimeout(() => setCopied(false), 2_000);
    });
  };
  return (
    <button type="button" class="small" aria-label={`Copy ${name}`} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}

/** An id in the type of code, with a button that copies it. */
export function Id({ value }: { value: string }) {
  return (
    <span class="id">
      <code>{value}</code> <Copy text={value} name={value} />
    </span>
  );
}
