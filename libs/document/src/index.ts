export { documentFormat, type DocumentFormat } from './document-format.js';
export { type CompiledQuery, LocatedDocument, type Path } from './located-document.js';
