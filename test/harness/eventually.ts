import { setTimeout as sleep } from 'node:timers/promises';

/** The longest wait of a test for an outcome that comes within seconds: a machine with much else to do takes many times as long. */
export const maxWaitMs = 60_000;

/** Repeats work, such as an assertion, until it no longer fails. @throws its last error */
export async function eventually<T>(work: () => T | Promise<T>): Promise<T> {
  for (const end = Date.now() + maxWaitMs; ; await sleep(20)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await holds())) throw new Error('what the test waits for did not happen in time');
  });
}
