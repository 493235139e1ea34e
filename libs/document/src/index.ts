export { type DocumentFormat, withoutNulls } from './document-format.js';
export { IncludedFiles } from './included-files.js';
export {
  type CompiledQuery,
  LocatedDocument,
  type Path,
  type TextPart,
  textOfCompiled,
} from './located-document.js';
