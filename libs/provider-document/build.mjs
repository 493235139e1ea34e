// Writes the keys of provider documents as types, and what checks documents by them as code.
import { writeDocumentValidators } from '../../tools/document-validators.mjs';
import { writeSchemaTypes } from '../../tools/schema-types.mjs';

await writeSchemaTypes({
  schema: new URL('./src/provider-document.schema.json', import.meta.url),
  target: new URL('./src/generated/document-source.ts', import.meta.url),
  name: 'DocumentSource',
});
await writeDocumentValidators(new URL('./src/', import.meta.url), {
  validateDocument: 'provider-document.schema.json',
  validatePart: 'provider-operations.schema.json',
  validateTranslations: 'provider-translations.schema.json',
});
