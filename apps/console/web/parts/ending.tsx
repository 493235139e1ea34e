import { Toned } from './state.js';

/** How a call ended, in words beside its status. */
export function Ending({ status }: { status: number }) {
  if (status < 400) return <Toned tone="good">{`Succeeded, ${status}`}</Toned>;
  return status < 500 ? (
    <Toned tone="warn">{`Refused, ${status}`}</Toned>
  ) : (
    <Toned tone="bad">{`Failed, ${status}`}</Toned>
  );
}
