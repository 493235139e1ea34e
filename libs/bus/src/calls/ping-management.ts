import type { Bus } from '../bus.js';

/** Together less than the time of a health check. */
const attempts = 3;
const attemptMs = 600;

/**
 * Asks the management service whether it accepts this process's calls: key, clock and permissions are those of every call. One that hangs is
 * asked once, and then another.
 * @throws ApiError 503 or 504 that names it
 */
export async function pingManagement(bus: Bus): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await bus.call('management.ping', {}, { deadline: Date.now() + attemptMs });
      return;
    } catch (error) {
      if (attempt === attempts) throw error;
    }
}
