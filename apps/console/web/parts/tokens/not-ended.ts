import { useMemo } from 'preact/hooks';

/** The filter that leaves out tokens which have ended; the time is that of the first call, so that the list is read once. */
export function useNotEnded(): string {
  return useMemo(() => `expires[gt]${new Date().toISOString()}`, []);
}
