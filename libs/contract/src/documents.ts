import { readFileSync } from 'node:fs';

export type Side = 'management' | 'connector';

const texts = new Map<Side, string>();

/** Returns the OpenAPI document of one side as JSON text, with the URL of this service as its server. */
export function servedDocument(side: Side, serverUrl: string): string {
  let text = texts.get(side);
  if (text === undefined) {
    text = readFileSync(new URL(`./generated/${side}.openapi.json`, import.meta.url), 'utf8');
    texts.set(side, text);
  }
  return text.replace(
    '"servers":[{"url":"/"}]',
    () => `"servers":[{"url":${JSON.stringify(serverUrl)}}]`,
  );
}

/** Reads the schemas of one side by their names. They are a copy of the caller's own: most keep a small part, and the whole has megabytes. */
export function servedSchemas<Schema>(side: Side): Record<string, Schema> {
  const { components } = JSON.parse(servedDocument(side, '/')) as {
    components: { schemas: Record<string, Schema> };
  };
  return components.schemas;
}
