// Writes the keys of fake documents as types.
import { writeSchemaTypes } from '../../tools/schema-types.mjs';

await writeSchemaTypes({
  schema: new URL('./src/document/fake-document.schema.json', import.meta.url),
  target: new URL('./src/generated/fake-source.ts', import.meta.url),
  name: 'FakeSource',
});
