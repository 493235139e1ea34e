import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

/** Parsed source maps kept at once; a stack has frames of a few files. */
const maxMaps = 32;

/**
 * Makes stack traces name lines of the sources. Unlike `--enable-source-maps`, which reads the map of every module that is loaded, packages
 * included (14 MB at the start), this reads a map when a stack with a frame of that file is printed.
 */
export function mapStackTraces(): void {
  const maps = new LRUCache<string, { map: SourceMap | undefined }>({ max: maxMaps });
  const mapOf = (url: string) => {
    const known = maps.get(url) ?? { map: readMap(url) };
    maps.set(url, known);
    return known.map;
  };
  Error.prepareStackTrace = (error, frames) =>
    [describe(error), ...frames.map((frame) => `    at ${describeFrame(frame, mapOf)}`)].join('\n');
}

function describe(error: Error): string {
  try {
    return String(error);
  } catch {
    return '<error>'; // an error whose name or message cannot be read
  }
}

function describeFrame(
  frame: NodeJS.CallSite,
  mapOf: (url: string) => SourceMap | undefined,
): string {
  const url = frame.getFileName() ?? '';
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  const text = `${frame as unknown as string}`; // Node writes the frame; its type does not say so
  if (!url.startsWith('file:') || url.includes('/node_modules/') || !line || !column) return text;
  const origin = mapOf(url)?.findEntry(line - 1, column - 1);
  if (origin === undefined || !('originalSource' in origin)) return text;
  const { originalSource, originalLine, originalColumn } = origin;
  const source = fileURLToPath(new URL(originalSource, url));
  return text.replace(`${url}:${line}:${column}`, () =>
    [source, originalLine + 1, originalColumn + 1].join(':'),
  );
}

/** Reads the map beside a compiled file; undefined if it has none. */
function readMap(url: string): SourceMap | undefined {
  try {
    const text = readFileSync(new URL(`${url}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined; // generated code has no map, and a stack trace must not fail
  }
}
