// Writes the keys of provider documents as types.
import { writeSchemaTypes } from '../../tools/schema-types.mjs';

await writeSchemaTypes({
  schema: new URL('./src/provider-document.schema.json', import.meta.url),
  target: new URL('./src/generated/document-source.ts', import.meta.url),
  name: 'DocumentSource',
});
