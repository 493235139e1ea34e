import type { ComponentProps } from 'preact';
import { TypedConfirmation } from './typed-confirmation.js';

type Confirmation = ComponentProps<typeof TypedConfirmation>;

interface Props extends Omit<Confirmation, 'title' | 'kind' | 'goal' | 'work'> {
  /** Name for people, in the title. */
  fullname: string;
  remove: (signal: AbortSignal) => Promise<void>;
}

/** Deletes something once its name was typed. */
export function TypedDeletion({ fullname, remove, ...rest }: Props) {
  return (
    <TypedConfirmation title={`Delete ${fullname}?`} goal="to delete it" work={remove} {...rest} />
  );
}
