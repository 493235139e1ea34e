export { documentFormat, type DocumentFormat, withoutNulls } from './document-format.js';
export { type CompiledQuery, LocatedDocument, type Path } from './located-document.js';
