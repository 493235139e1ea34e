import { effect } from '@preact/signals';
import type { ManagementSchemas } from '#contract';
import { session } from '../../api/session.js';

/** Document and record as somebody has typed them in the studio. */
export interface Draft {
  document: string;
  sample: string;
  /** The stored mapping that the document began as. */
  base: ManagementSchemas['Mapping'] | undefined;
}

/** In memory only, because records belong to customers; they survive a look at another screen, and end with the session. */
const drafts = new Map<string, Draft>();
effect(() => {
  if (session.value === undefined) drafts.clear();
});

const keyOf = (integrationId: string, mappingId: string | undefined) =>
  `${integrationId} ${mappingId ?? ''}`;

export function keptDraft(integrationId: string, mappingId: string | undefined): Draft | undefined {
  return drafts.get(keyOf(integrationId, mappingId));
}

export function keepDraft(integrationId: string, mappingId: string | undefined, draft: Draft) {
  drafts.set(keyOf(integrationId, mappingId), draft);
}

export function forgetDraft(integrationId: string, mappingId: string | undefined): void {
  drafts.delete(keyOf(integrationId, mappingId));
}
