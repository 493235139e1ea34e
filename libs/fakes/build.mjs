// Writes the keys of fake documents as types, and what checks documents by them as code.
import { writeDocumentValidators } from '../../tools/document-validators.mjs';
import { writeSchemaTypes } from '../../tools/schema-types.mjs';

await writeSchemaTypes({
  schema: new URL('./src/document/fake-document.schema.json', import.meta.url),
  target: new URL('./src/generated/fake-source.ts', import.meta.url),
  name: 'FakeSource',
});
await writeDocumentValidators(new URL('./src/document/', import.meta.url), {
  validateDocument: 'fake-document.schema.json',
  validatePart: 'fake-part.schema.json',
});
