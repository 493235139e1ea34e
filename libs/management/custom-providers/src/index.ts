export { type CustomDocument, customDocuments } from './custom-documents.js';
export { CustomProvidersModule } from './custom-providers.module.js';
