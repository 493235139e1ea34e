import type { ManagementSchemas } from '#contract';

export type Messages = ManagementSchemas['IntegrationMessagesResponse'];

/** A fact that the caller of a successful request has to know. */
export interface Note {
  /** Identifies the kind of note, such as `webhooks-not-delivered`. */
  instance: string;
  message: string;
  detail: string;
  /** Says what to do, if anything. */
  remediation?: string;
  /** JSON Pointer of the body field that the note is about. */
  pointer?: string;
  /** Place in this field, if it is a document. */
  position?: { line: number; column: number };
}

/**
 * Returns the `messages` field of a successful response, in the form of the specification's informational problems; no
 * field without notes.
 */
export function messagesOf(notes: readonly Note[], now: Date): { messages?: Messages } {
  if (notes.length === 0) return {};
  const problems = notes.map(({ pointer, position, ...note }) => ({
    ...note,
    status: 200,
    occurred_at: now.toISOString(),
    ...(pointer === undefined
      ? {}
      : {
          context: {
            parameter: { id: pointer, location: 'body' as const, ...(position && { position }) },
          },
        }),
  }));
  return { messages: { problems } };
}
