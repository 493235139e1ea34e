import { useEffect, useRef, useState } from 'preact/hooks';

type Work = (signal: AbortSignal) => Promise<void>;

/** Work that somebody has started from the page. */
export interface Attempt {
  isBusy: boolean;
  /** Time at which the running work began, in milliseconds. */
  since: number | undefined;
  /** The error of the last work; work that was cancelled has none. */
  error: Error | undefined;
  /** Whether the last work was cancelled. */
  isCancelled: boolean;
  /** Starts work. While some runs, it does nothing, or with `replaces` cancels that. */
  run: (work: Work, replaces?: boolean) => Promise<void>;
  cancel: () => void;
}

type State = Partial<Pick<Attempt, 'since' | 'error' | 'isCancelled'>>;

/** Runs one piece of work at a time, keeps its error, and cancels it when the component goes. */
export function useAttempt(): Attempt {
  const [{ since, error, isCancelled = false }, setState] = useState<State>({});
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (work: Work, replaces = false) => {
    if (running.current !== undefined && !replaces) return;
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setState({ since: Date.now() });
    const failure = await work(control.signal).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (running.current !== control) return; // other work has replaced this
    running.current = undefined;
    if (failure === undefined) setState({});
    else setState(control.signal.aborted ? { isCancelled: true } : { error: errorOf(failure) });
  };
  const cancel = () => running.current?.abort();
  return { isBusy: since !== undefined, since, error, isCancelled, run, cancel };
}

export function errorOf(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
