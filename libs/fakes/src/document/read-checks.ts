import type { Check } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';

/** Names that parts of the document may refer to. */
export interface Known {
  collections: ReadonlySet<string>;
  buckets: ReadonlySet<string>;
  hasAuth: boolean;
}

/** Reads the conditions of a route or a write. */
export function readChecks(reader: FakeReader, part: Part | undefined): Check[] {
  return (part?.items() ?? []).flatMap((check) => {
    const that = check.get('that');
    const error = check.get('error');
    if (that === undefined || error === undefined) return [];
    const detail = check.get('detail');
    return {
      key: check.path.join('.'),
      that: reader.readQuery(that),
      error: reader.raises(String(error.scalar), error),
      detail: detail && reader.readText(detail),
    };
  });
}
