import { useEffect, useState } from 'preact/hooks';

interface Props {
  /** In milliseconds. */
  since: number;
  onCancel: () => void;
  children: string;
  /** Text of the button, and of a number of seconds; in English by default. */
  cancel?: string;
  seconds?: (count: number) => string;
}

/** Says what runs and for how long, and cancels it. */
export function Waiting({
  since,
  onCancel,
  children,
  cancel = 'Cancel',
  seconds = (count) => `${count} s`,
}: Props) {
  return (
    <p class="waiting">
      <i aria-hidden="true" />
      <span>{children}</span> <Elapsed since={since} seconds={seconds} />{' '}
      <button type="button" class="small" onClick={onCancel}>
        {cancel}
      </button>
    </p>
  );
}

function Elapsed({ since, seconds }: Required<Pick<Props, 'since' | 'seconds'>>) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return <span class="elapsed">{seconds(Math.max(0, Math.round((now - since) / 1_000)))}</span>;
}
