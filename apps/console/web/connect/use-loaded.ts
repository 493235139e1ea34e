import { useEffect, useState } from 'preact/hooks';
import { errorOf } from '../parts/attempt.js';

export interface Loaded<Value> {
  value?: Value;
  error?: Error;
  retry: () => void;
}

/** Reads something once for each key, and again when somebody asks for it. */
export function useLoaded<Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key: string; value?: Value; error?: Error }>({ key });
  useEffect(() => {
    const control = new AbortController();
    setState({ key });
    read(control.signal).then(
      (value) => setState({ key, value }),
      (error: unknown) => {
        if (!control.signal.aborted) setState({ key, error: errorOf(error) });
      },
    );
    return () => control.abort();
  }, [key, attempt]);
  const { value, error } = state.key === key ? state : {};
  return {
    ...(value === undefined ? {} : { value }),
    ...(error === undefined ? {} : { error }),
    retry: () => setAttempt((count) => count + 1),
  };
}
