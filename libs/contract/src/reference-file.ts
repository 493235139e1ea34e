import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servedDocument } from './documents.js';

const own = fileURLToPath(new URL('./reference/', import.meta.url));
/** Found when it is first asked for: the package of the provider kit has no viewer. */
const library = () =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const files = new Map([
  ['index.html', { folder: () => own, type: 'text/html; charset=utf-8' }],
  ['reference.js', { folder: () => own, type: 'text/javascript; charset=utf-8' }],
  ['choose-integration.js', { folder: () => own, type: 'text/javascript; charset=utf-8' }],
  ['reference.css', { folder: () => own, type: 'text/css; charset=utf-8' }],
  ['swagger-ui.css', { folder: library, type: 'text/css; charset=utf-8' }],
  ['swagger-ui-bundle.js', { folder: library, type: 'text/javascript; charset=utf-8' }],
]);

/**
 * Returns a file of the API reference page with its content type; undefined for an unknown file.
 * @param serverUrl the server that the page's copies of the OpenAPI documents name
 */
export function referenceFile(
  name: string,
  serverUrl: string,
): { type: string; content: Buffer | string } | undefined {
  if (name === 'management.json' || name === 'connector.json') {
    const side = name === 'management.json' ? 'management' : 'connector';
    return { type: 'application/json', content: servedDocument(side, serverUrl) };
  }
  const file = files.get(name);
  return file && { type: file.type, content: readFileSync(join(file.folder(), name)) };
}
