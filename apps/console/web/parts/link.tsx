import type { AnchorHTMLAttributes, ComponentChildren } from 'preact';
import { base, go, withEnvironment } from '../location.js';

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'role'> {
  /** Address below `/console`. */
  to: string;
  children: ComponentChildren;
}

/** Link to a screen; clicks that ask the browser for a new tab or window are left to it. */
export function Link({ to, children, ...rest }: Props) {
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={base + withEnvironment(to)} onClick={onClick} {...rest}>
      {children}
    </a>
  );
}
