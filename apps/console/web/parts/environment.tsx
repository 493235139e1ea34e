/** Environments are told apart in words, not by colour alone. */
export function Environment({ name }: { name: string }) {
  return <span class={name === 'prod' ? 'badge strong' : 'badge'}>{name}</span>;
}
