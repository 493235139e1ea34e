import { useEffect, useState } from 'preact/hooks';

const pauseMs = 200;

/** The text once it has not changed for a moment. */
export function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setDelayed(text), pauseMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  return delayed;
}
