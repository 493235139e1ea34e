export type { SharedTemplates } from './document/applied.js';
export {
  type CompiledDocument,
  compileDocument,
  type DocumentCompileOptions,
} from './document/compile-document.js';
export { describeFailureOfText, type TextInDocument } from './document/describe-failure-of-text.js';
export { lintText } from './document/doubtful-values.js';
export { unquotedValues } from './document/unquoted-values.js';
export { textsOfDocument } from './document/document-texts.js';
export { lintNames } from './document/lint-document.js';
export { type DocumentOptions, type Mapped, MappingRunError } from './document/run-document.js';
export { DocumentCache } from './document/document-cache.js';
export {
  type ComparedValue,
  type ValueUses,
  valueUsesOfTemplate,
} from './document/compared-values.js';
export {
  type InputField,
  inputFieldsOfQuery,
  inputFieldsOfTemplate,
} from './document/input-fields.js';
export { isRead, readPaths } from './document/read-paths.js';
export { type Embedded, type Located, locateText } from './document/read-document.js';
export { schemaFaults } from './methods/documents/json-schema.js';
export { formatTemplate } from './language/format-template.js';
export { findExpressionEnd } from './language/parse.js';
export { formatJson, parseJson } from './language/json.js';
export {
  describeFault,
  MappingError,
  placeOf,
  type TemplateFault,
} from './language/mapping-error.js';
export { standardEnvironment } from './methods/standard-environment.js';
export { type Environment, restrictEnvironment } from './language/environment.js';
export { findText, splitText } from './language/find-text.js';
export { suggestName } from './language/suggest-name.js';
export { Budgets } from './language/budgets.js';
export { type Limits, maxLimits } from './language/limits.js';
export { type Surroundings } from './language/run.js';
export { LimitError, RunError } from './language/run-error.js';
export {
  type CompiledTemplate,
  type CompileOptions,
  compileQuery,
  compileTemplate,
  type RunOptions,
  type RunResult,
} from './document/template.js';
export { Timestamp } from './language/timestamp.js';
export { type YamlFault, yamlLimits, YamlText } from './yaml/read-yaml.js';
export { type ResolveAlias, resolveAliases } from './yaml/resolve-aliases.js';
export { Deleted, Nothing, typeName, type Value } from './language/values.js';
