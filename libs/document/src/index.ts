export { documentFormat, type DocumentFormat, withoutNulls } from './document-format.js';
export {
  type CompiledQuery,
  LocatedDocument,
  type Path,
  type TextPart,
} from './located-document.js';
