import type { Cursors } from '#secrets';
import type { OperationResult } from './map-response.js';
import { readCursor } from './lists/page.js';
import type { OperationRun } from './operation-run.js';
import type { MappedRequest, PausedSteps } from './provider.js';

/** Makes the response of an action that waits for the provider; a request with its cursor goes on. */
export function pausedResponse(
  cursors: Cursors,
  run: OperationRun,
  paused: PausedSteps,
): OperationResult {
  const messages = run.problems.render(run.clock.now());
  const cursor = cursors.issue(contextOf(run), paused);
  return { status: 'PENDING', cursor, ...(messages && { messages }) };
}

/** Reads the cursor in the body of an action. @throws ApiError 400 if it belongs to another one */
export function readPaused(
  cursors: Cursors,
  run: OperationRun,
): Pick<MappedRequest, 'paused'> | undefined {
  const { operation, call } = run;
  if (!operation.response.progress || operation.request !== 'json') return undefined;
  const { cursor } = (call.body ?? {}) as { cursor?: string | null };
  if (!cursor) return undefined;
  const place = { location: 'body', pointer: '/cursor' } as const;
  return { paused: readCursor(cursors, contextOf(run), cursor, place) as PausedSteps };
}

function contextOf({ integration, operation, call }: OperationRun): string {
  return `${integration.id} ${operation.id} ${JSON.stringify(call.path)}`;
}
