import { scanJson } from '../../libs/contract/src/scan-json.js';
import { addressBlock } from '../../apps/gateway/src/address-block.js';
import { parseJson as parseBodyJson } from '../../apps/gateway/src/read-body.js';
import { decodeFrame } from '../../libs/bridge/src/frames.js';
import { isSigned } from '../../libs/connect/src/document/webhook-signature.js';
import { keepText } from '../../libs/connect/src/request-log/recorded-text.js';
import { parseDuration } from '../../libs/contract/src/duration.js';
import { readForm } from '../../libs/contract/src/form-body.js';
import { storableText } from '../../libs/contract/src/storable-text.js';
import { splitText } from '../../libs/document/src/split-text.js';
import { decodedContent } from '../../libs/egress/src/decode-content.js';
import { decodeText } from '../../libs/egress/src/decode-text.js';
import { parseTime } from '../../libs/egress/src/parse-time.js';
import { readWait } from '../../libs/egress/src/wait-times.js';
import { checkTime } from '../../libs/management/audit/src/audit-query.js';
import { addressFault } from '../../libs/management/core/src/address.js';
import { readDuration } from '../../libs/management/core/src/duration.js';
import { isUuid } from '../../libs/management/core/src/names.js';
import { certificatesIn } from '../../libs/management/sso/src/published-certificates.js';
import { parseXml } from '../../libs/management/sso/src/xml.js';
import { valueUsesOfTemplate } from '../../libs/mapping/src/document/compared-values.js';
import {
  partsOfTemplate,
  textsOfDocument,
} from '../../libs/mapping/src/document/document-texts.js';
import { explainDocument } from '../../libs/mapping/src/document/explain-document.js';
import {
  inputFieldsOfQuery,
  inputFieldsOfTemplate,
} from '../../libs/mapping/src/document/input-fields.js';
import {
  lintDocument,
  lintNames,
  lintTemplate,
} from '../../libs/mapping/src/document/lint-document.js';
import { readDocument } from '../../libs/mapping/src/document/read-document.js';
import { compileQuery } from '../../libs/mapping/src/document/template.js';
import { dotPath } from '../../libs/mapping/src/language/dot-path.js';
import { formatQuery, formatTemplate } from '../../libs/mapping/src/language/format-template.js';
import { placeOf } from '../../libs/mapping/src/language/mapping-error.js';
import {
  findExpressionEnd,
  parseQuery,
  parseTemplate,
} from '../../libs/mapping/src/language/parse.js';
import { quoted } from '../../libs/mapping/src/language/print-literal.js';
import { remedyAt } from '../../libs/mapping/src/language/remedies.js';
import { textBytes } from '../../libs/mapping/src/language/text-bytes.js';
import { parseRfc3339 } from '../../libs/mapping/src/language/timestamp.js';
import { formEncode } from '../../libs/oauth/src/basic.js';
import { readFields, readJson } from '../../libs/oauth/src/read-fields.js';
import { readRefusal } from '../../libs/oauth/src/refusal.js';
import { readTokenAnswer } from '../../libs/oauth/src/token-answer.js';
import { acceptsEncoding } from '../../libs/pages/src/accepts-encoding.js';
import { isOrigin } from '../../libs/provider-document/src/credential-addresses.js';
import { parseError } from '../../libs/provider-http/src/bodies/read-body.js';
import { likePattern } from '../../libs/query/src/filter.js';
import { parseInstant } from '../../libs/query/src/instant.js';

const limits = { maxBytes: 10_000_000, maxValues: 200_000, maxDepth: 64, anyText: true };
const bytes = (text: string) => Buffer.from(text);
const refuse = (why: string): never => {
  throw new Error(why);
};

/** Functions that read a text of a stranger, by file and name. */
export const textFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  'apps/gateway/src/address-block.ts addressBlock': addressBlock,
  'apps/gateway/src/read-body.ts parseJson': (text) => parseBodyJson(bytes(text), limits),
  'libs/bridge/src/frames.ts decodeFrame': (text) => decodeFrame(bytes(text)),
  'libs/connect/src/document/webhook-signature.ts isSigned': (text) =>
    isSigned(text, bytes(text), { header: 'x' }, []),
  'libs/connect/src/request-log/recorded-text.ts keepText': (text) => keepText(text, 1_000),
  'libs/contract/src/duration.ts parseDuration': parseDuration,
  'libs/contract/src/form-body.ts readForm': readForm,
  'libs/contract/src/scan-json.ts scanJson': (text) => scanJson(bytes(text), limits),
  'libs/contract/src/storable-text.ts storableText': storableText,
  'libs/document/src/split-text.ts splitText': (text) => splitText(text, '+'),
  'libs/egress/src/decode-content.ts decodedContent': (text) => decodedContent(bytes('x'), text),
  'libs/egress/src/decode-text.ts decodeText': (text) =>
    decodeText(bytes(text), text.slice(0, 16_384)),
  'libs/egress/src/parse-time.ts parseTime': parseTime,
  'libs/egress/src/wait-times.ts readWait': (text) => readWait(text, 0),
  'libs/management/audit/src/audit-query.ts checkTime': checkTime,
  'libs/management/core/src/address.ts addressFault': (text) => addressFault(text, '/url'),
  'libs/management/core/src/duration.ts readDuration': (text) =>
    readDuration(text, '/ttl', { default: '1h', min: '1m', max: '90d' }),
  'libs/management/core/src/names.ts isUuid': isUuid,
  'libs/management/sso/src/published-certificates.ts certificatesIn': (text) =>
    certificatesIn(text, 'id'),
  'libs/management/sso/src/xml.ts parseXml': (text) => parseXml(text, refuse),
  'libs/mapping/src/document/compared-values.ts valueUsesOfTemplate': valueUsesOfTemplate,
  'libs/mapping/src/document/document-texts.ts partsOfTemplate': partsOfTemplate,
  'libs/mapping/src/document/document-texts.ts textsOfDocument': textsOfDocument,
  'libs/mapping/src/document/explain-document.ts explainDocument': (text) =>
    explainDocument(text, {}, ['a']),
  'libs/mapping/src/document/input-fields.ts inputFieldsOfQuery': inputFieldsOfQuery,
  'libs/mapping/src/document/input-fields.ts inputFieldsOfTemplate': inputFieldsOfTemplate,
  'libs/mapping/src/document/lint-document.ts lintDocument': (text) => lintDocument(text),
  'libs/mapping/src/document/lint-document.ts lintNames': (text) => lintNames(text, true),
  'libs/mapping/src/document/lint-document.ts lintTemplate': (text) => lintTemplate(text),
  'libs/mapping/src/document/read-document.ts readDocument': (text) => readDocument(text),
  'libs/mapping/src/document/template.ts compileQuery': (text) => compileQuery(text),
  'libs/mapping/src/language/dot-path.ts dotPath': dotPath,
  'libs/mapping/src/language/format-template.ts formatQuery': formatQuery,
  'libs/mapping/src/language/format-template.ts formatTemplate': formatTemplate,
  'libs/mapping/src/language/mapping-error.ts placeOf': (text) => placeOf(text, text.length),
  'libs/mapping/src/language/parse.ts findExpressionEnd': (text) => findExpressionEnd(text, 0),
  'libs/mapping/src/language/parse.ts parseQuery': parseQuery,
  'libs/mapping/src/language/parse.ts parseTemplate': parseTemplate,
  'libs/mapping/src/language/print-literal.ts quoted': quoted,
  'libs/mapping/src/language/remedies.ts remedyAt': (text) => remedyAt(text, text.length / 2),
  'libs/mapping/src/language/text-bytes.ts textBytes': textBytes,
  'libs/mapping/src/language/timestamp.ts parseRfc3339': parseRfc3339,
  'libs/oauth/src/basic.ts formEncode': formEncode,
  'libs/oauth/src/read-fields.ts readFields': readFields,
  'libs/oauth/src/read-fields.ts readJson': readJson,
  'libs/oauth/src/refusal.ts readRefusal': (text) => readRefusal(text),
  'libs/oauth/src/token-answer.ts readTokenAnswer': readTokenAnswer,
  'libs/pages/src/accepts-encoding.ts acceptsEncoding': (text) => acceptsEncoding(text, 'br'),
  'libs/provider-document/src/credential-addresses.ts isOrigin': isOrigin,
  'libs/provider-http/src/bodies/read-body.ts parseError': (text) =>
    parseError(bytes(text), 'application/json'),
  'libs/query/src/filter.ts likePattern': likePattern,
  'libs/query/src/instant.ts parseInstant': parseInstant,
};

const ofGrowth = 'is measured by growth.spec.ts itself';
const ofDocument = 'compiles what readDocument reads, which is measured with compileDocument';
const problem = 'writes the message of an error, which no stranger sends';
const oneSign = 'reads a few signs at a place';

/** Functions of a text that are not measured, each with the reason. */
export const notMeasured: Readonly<Record<string, string>> = {
  'libs/bus/src/messages/content.ts decodeContent': 'reads lengths, and copies no part in a loop',
  'libs/bus/src/messages/envelope-head.ts readEnvelope':
    'JSON.parse of what a process of ours has written and signed',
  'libs/connect/src/records/row-identity.ts shortHash': 'a hash',
  'libs/contract/src/formats.ts isDateTime': ofGrowth,
  'libs/contract/src/formats.ts base64': ofGrowth,
  'libs/contract/src/problem.ts unauthorized': problem,
  'libs/contract/src/problem.ts forbidden': problem,
  'libs/contract/src/problem.ts conflict': problem,
  'libs/contract/src/problem.ts notImplemented': problem,
  'libs/egress/src/decode-content.ts isGzip': oneSign,
  'libs/management/sso/src/certificates.ts readCertificates': ofGrowth,
  'libs/management/sso/src/saml-response.ts readResponse':
    'decodes base64, and gives it to parseXml',
  'libs/management/sso/src/sign-ons.ts hashOf': 'a hash',
  'libs/mapping/src/document/compile-document.ts compileDocument': ofGrowth,
  'libs/mapping/src/document/compile-document.ts tracedPlan': ofDocument,
  'libs/mapping/src/document/compile-document.ts planOf': ofDocument,
  'libs/mapping/src/document/failed-statement.ts withoutStatement': problem,
  'libs/mapping/src/document/format-document.ts formatDocument': ofGrowth,
  'libs/mapping/src/document/template.ts compileTemplate': ofGrowth,
  'libs/mapping/src/language/calendar.ts digitsAt': oneSign,
  'libs/mapping/src/language/calendar.ts fractionAt': 'one pass over digits, by parseRfc3339',
  'libs/mapping/src/language/find-text.ts findText': ofGrowth,
  'libs/mapping/src/language/find-text.ts splitText': ofGrowth,
  'libs/mapping/src/language/json.ts parseJson': ofGrowth,
  'libs/meta/src/parse-call.ts parseCall': ofGrowth,
  'libs/observe/src/start-service.ts listenError': problem,
  'libs/patch/src/pointer.ts parsePointer': ofGrowth,
  'libs/provider-document/src/compile-provider.ts compileProviders':
    'compileProvider for a document of several',
  'libs/provider-document/src/compile-provider.ts openProviders': 'opens documents of ours alone',
  'libs/provider-document/src/compile-provider.ts compileProvider': ofGrowth,
  'libs/provider-document/src/translations.ts checkTranslationFile':
    'reads a file beside a document of ours',
  'libs/provider-document/src/translations.ts readTranslations':
    'reads a file beside a document of ours',
  'libs/provider-document/src/unknown-names.ts unknownNames':
    'reads the fields of an expression: inputFieldsOfTemplate',
  'libs/provider-http/src/bodies/read-body.ts decompress':
    'zlib in another thread, within a limit of bytes',
  'libs/provider-http/src/bodies/read-body.ts parseBody': ofGrowth,
  'libs/query/src/filter.ts parseFilter': ofGrowth,
  'libs/query/src/order.ts parseOrder': ofGrowth,
};
