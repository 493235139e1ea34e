export { documentFormat, type DocumentFormat, withoutNulls } from './document-format.js';
export { IncludedFiles } from './included-files.js';
export {
  type CompiledQuery,
  LocatedDocument,
  type Path,
  type TextPart,
} from './located-document.js';
