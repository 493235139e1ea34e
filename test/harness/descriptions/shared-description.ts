import { existsSync, readFileSync } from 'node:fs';
import { Description, type DescriptionOptions } from './openapi-description.js';

/** Cut OpenAPI descriptions of vendors, whose licences do not let us ship them: what needs one is left out where they are absent. */
const folder = new URL('../../../../../shared/providers/specs/', import.meta.url);

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'parameters']);

/** A description as JSON of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/**
 * A vendor's description, if it is there.
 * @param file such as `pagerduty.json`
 * @param correct corrects what the vendor's system does differently
 */
export function sharedDescription(
  file: string,
  options: Omit<DescriptionOptions, 'document'> = {},
  correct: (document: Json) => void = () => undefined,
): Description | undefined {
  const url = new URL(file, folder);
  if (!existsSync(url)) return undefined;
  const document = JSON.parse(readFileSync(url, 'utf8')) as Record<string, unknown>;
  correct(document);
  const paths = Object.entries(document['paths'] as Record<string, object>).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).filter(([method]) => methods.has(method))) as object,
  ]);
  return new Description({
    ...options,
    document: { ...document, paths: Object.fromEntries(paths) as object },
  });
}
