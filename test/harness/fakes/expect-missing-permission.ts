import { expect } from '@jest/globals';
import type { OperationId } from '#contract';
import type { OverFake } from '#apps/provider-kit';

/** Calls an operation with a credential that may not, and expects that the response names the permission. */
export async function expectMissingPermission(
  over: OverFake,
  permission: string,
  id: OperationId,
  path: Record<string, string>,
): Promise<void> {
  const { status, body } = await over.call(id, { path });
  expect([status, body['remediation']]).toEqual([
    502,
    `Grant the permission "${permission}" at the provider.`,
  ]);
}
