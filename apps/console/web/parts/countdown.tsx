import { useEffect, useState } from 'preact/hooks';

/** Says how long the service wants to be left alone, second by second. */
export function Countdown({ seconds }: { seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = window.setInterval(
      () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000))),
      1_000,
    );
    return () => window.clearInterval(timer);
  }, [until]);
  if (left === 0) return <p>You can try again now.</p>;
  return (
    <p class="elapsed" role="timer">
      Try again in {left >= 90 ? `${Math.ceil(left / 60)} min` : `${left} s`}.
    </p>
  );
}
