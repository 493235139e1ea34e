import { badRequest } from '#contract';
import { MappingError, type TemplateFault } from '@onefold/mapping';
import type { TenantRecord } from '#store';
import type { Note } from './messages.js';
import { recordView } from './record.js';

/**
 * Compiles a YAML document of the body.
 * @param pointer its place
 * @throws ApiError 400 for its errors, each at its line and column
 */
export function compileYaml<T>(compile: () => T, pointer = '/data'): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const [first] = error.faults;
    throw badRequest(
      error.faults.map(({ message, line, column, hint }) => ({
        location: 'body',
        pointer,
        position: { line, column },
        message: `line ${line}, column ${column}: ${message}`,
        ...(hint === undefined ? {} : { remediation: hint }),
      })),
      { detail: error.message, ...(first?.hint === undefined ? {} : { remediation: first.hint }) },
    );
  }
}

/** Maximum notes of a response; a slip that is made more often is understood by then. */
const maxNotes = 20;

/** Notes for the warnings of a YAML document in `data` that compiles: each has its line, its column and a remedy. */
export function documentNotes(warnings: readonly TemplateFault[]): Note[] {
  const inOrder = warnings.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return inOrder.slice(0, maxNotes).map(({ message, line, column, hint }) => ({
    instance: 'doubtful-expression',
    message: `line ${line}, column ${column}: ${message}`,
    detail: 'The document compiles. This part of it may mean something else than it says.',
    ...(hint === undefined ? {} : { remediation: hint }),
    pointer: '/data',
    position: { line, column },
  }));
}

/** A document record in responses. */
export function documentView(record: TenantRecord & { data: string }) {
  const { organizationId: organization_id, data } = record;
  return { ...recordView(record), organization_id, data };
}
