import { useEffect, useState } from 'preact/hooks';

interface Props {
  /** In milliseconds. */
  since: number;
  onCancel: () => void;
  children: string;
}

/** Says what runs and for how long, and cancels it. */
export function Waiting({ since, onCancel, children }: Props) {
  return (
    <p class="waiting">
      <i aria-hidden="true" />
      <span>{children}</span> <Elapsed since={since} />{' '}
      <button type="button" class="small" onClick={onCancel}>
        Cancel
      </button>
    </p>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return <span class="elapsed">{Math.max(0, Math.round((now - since) / 1_000))} s</span>;
}
