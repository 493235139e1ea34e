export { type CustomDocument, customDocuments } from './custom-documents.js';
export { CustomsModule } from './customs.module.js';
