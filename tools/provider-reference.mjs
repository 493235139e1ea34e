// Writes docs/providers/documents.md from the JSON Schema of provider documents; with --check only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './install.mjs';
import { compactTables } from './compact-tables.mjs';

const file = 'libs/provider-document/src/provider-document.schema.json';
const schema = JSON.parse(readFileSync(join(root, file), 'utf8'));
const target = join(root, 'docs/providers/documents.md');

const resolve = (part) =>
  part?.$ref === undefined ? part : { ...schema.$defs[part.$ref.split('/').at(-1)], ...part };

/** Describes the possible values in a word or two. */
function kindOf(part) {
  if (part.$ref?.endsWith('/query')) return 'query';
  if (part.$ref?.endsWith('/template')) return 'template';
  const whole = resolve(part);
  if (whole.const !== undefined) return `\`${whole.const}\``;
  if (whole.enum) return whole.enum.map((one) => `\`${one}\``).join(', ');
  if (part.$ref?.endsWith('/proof')) return whole.anyOf.map(kindOf).join(', ');
  if (whole.type === 'array') return `list of ${kindOf(whole.items ?? {})}`;
  const name = part.$ref?.split('/').at(-1);
  if (name && whole.properties) return `[${name}](#${name.toLowerCase()})`;
  if (whole.additionalProperties?.$ref) return `${kindOf(whole.additionalProperties)} by name`;
  return [whole.type ?? 'anything'].flat().join(' or ');
}

function table(part, prefix = '') {
  const rows = Object.entries(part.properties ?? {}).flatMap(([key, value]) => {
    const whole = resolve(value);
    const needed = part.required?.includes(key) ? '**' : '';
    const own = `| ${needed}\`${prefix}${key}\`${needed} | ${kindOf(value).replaceAll('|', '\\|')} | ${(whole.description ?? '').replaceAll('|', '\\|')} |`;
    const inline = !value.$ref && whole.properties ? rowsOf(whole, `${prefix}${key}.`) : [];
    const items =
      whole.items && !whole.items.$ref && whole.items.properties
        ? rowsOf(whole.items, `${prefix}${key}[].`)
        : [];
    const named =
      whole.additionalProperties?.properties && !whole.additionalProperties.$ref
        ? rowsOf(whole.additionalProperties, `${prefix}${key}.*.`)
        : [];
    return [own, ...inline, ...items, ...named];
  });
  return rows;
}
const rowsOf = (part, prefix) => table(part, prefix);

function section(name, part, title = name) {
  const lines = [`## ${title}`, '', part.description ?? '', ''];
  const variants = part.oneOf ?? [part];
  for (const variant of variants) {
    if (part.oneOf) lines.push(`### ${variant.title}`, '');
    lines.push('| key | what | |', '| --- | --- | --- |', ...table(variant), '');
  }
  return lines;
}

const answers = `## Answers

An answer is read as it comes, and the document says only what it cannot say itself.

- **Text** is decoded by its byte order mark, else by the charset of \`Content-Type\` (UTF-16, ISO-8859, windows-125x and the others of the Encoding
  Standard), else by the declaration of XML, else as UTF-8. The mark is not a part of it. Integers of JSON keep all of their digits.
- **Compressed** bodies (gzip, deflate, br; zstd from Node 22.15 on) are decompressed within \`limits.response_bytes\`, asked for or not. Requests ask for none; a document that
  wants them sets the header \`accept-encoding\`. A text of gzip without a header is decompressed too. Files are passed on as they come.
- **Headers** that a document, a configuration or a credential sets are the standard ones about the body, the wanted response, its state, who asks and
  repetitions, and those that an application reads (\`x-vendor-version\`, \`apikey\`). All others are a 400 before anything is sent: those that end a message or belong to its
  connection (\`content-length\`, \`transfer-encoding\`, \`connection\`), those by which proxies choose another server, path or method (\`host\`, \`forwarded\`, \`x-forwarded-…\`,
  \`x-original-url\`, \`x-http-method-override\`), and other addresses of the caller (\`x-real-ip\`). The list with its reasons is \`libs/provider-http/src/credentials/header-names.ts\`.
- **Redirects** are followed, three at most: those of GET, and by 307 and 308 those of other methods at the same origin. The credential is added again at the
  same origin; another origin gets neither credential nor body.
- **Waits**: \`Retry-After\` in seconds, also with a fraction or a unit, or as a time; anything else is as absent. Where a limit is reached, \`retry.resets\`, then
  \`ratelimit-reset\` and \`x-ratelimit-reset\` (seconds or a time), then \`retry.after\`, or \`retry_after\` and \`retryAfter\` of the body. No pause is shorter than Onefold's own, which
  begins at 200 ms.
- **Limits** that only the body tells are known by their codes: \`RATELIMITED\`, \`RATE_LIMITED\`, \`THROTTLED\` and the like in the errors of GraphQL, beside
  \`ok: false\`, or in an answer that is an error. \`http.limited\` adds others.
`.split('\n');

const files = `## Files

A file passes as it comes, however large, in bounded memory: nothing of it is kept, and no expression sees its bytes.

\`\`\`yaml
storage_download_file:
  needs: Read files
  steps:
    - { name: link, path: '/files/{this.path.path}/link' }
    - { name: file, url: this.steps.link.url, anonymous: true, answer: stream }
  file: '{"filename": this.steps.link.name, "type": this.steps.link.mime_type}'
storage_upload_file:
  needs: Write files
  steps:
    - name: session
      method: POST
      path: /uploads
      body: 'root = {"name": this.file.filename, "path": this.path.path}'
    - { name: sent, method: PUT, path: '/uploads/{this.steps.session.id}', encoding: stream }
    - { name: done, method: POST, path: '/uploads/{this.steps.session.id}/complete' }
\`\`\`

- **From the provider:** the last step has \`answer: stream\`, and the operation no \`record\`. Its status and headers are read as of any call, so a 403 in
  the place of a file is the usual problem, and what may be repeated is repeated; from the first byte on, the body is the caller's. Length, media type and
  file name go along, unless \`file\` says other ones. A provider that breaks off breaks the answer off, and is in the log.
- **To the provider:** one step has \`encoding: stream\`, where the file is the body, or \`encoding: multipart\` with \`part\`. The caller sends
  multipart/form-data or application/octet-stream; only of the latter the length is known, and told to the provider. A step that has
  begun to send the file is never repeated, not after a 429 either. In a built-in document a step with \`encoding: stream\` may name a \`function\`
  instead of a request: it reads the file, and sends it in requests of its own, such as the parts of a large object.
- **Ranges:** a \`Range\` of one range (\`bytes=0-99\`) is passed on with the step that has \`answer: stream\`. A provider that knows ranges answers 206
  with \`Content-Range\`, and 416 beyond the end; any other returns the whole file, as it does for \`If-Range\`.
- \`http.timeout\` is how long the provider may be silent (a minute at most); the deadline of the request ends where the file begins. A limit of concurrent calls counts
  a file until it has passed. \`http.limits.stream_bytes\` bounds both ways, \`MAX_UPLOAD_BYTES\` of the operator the uploads.
- A file passes through the path of its own operation only, not through \`/v1/custom\`; \`api/response\` shows \`[stream]\` in its place.
`.split('\n');

const objects = Object.entries(schema.$defs).filter(([, part]) => part.properties || part.oneOf);
const text = [
  '# Provider documents',
  '',
  'This page is written by `node tools/provider-reference.mjs` from the JSON Schema, `' +
    file +
    '`, which editors can use as well; `npm run check` compares. The [tutorial](tutorial.md) writes a document step by step, [lists](lists.md) explains filters, orders and pages, [credentials](credentials.md) how each kind is sent, and [notes](writing.md) what goes wrong.',
  '',
  schema.description,
  'Bold keys are needed. A *query* has a value and a *template* assigns to `root`, both in the [mapping language](../mapping/language.md).',
  '',
  '## What expressions see',
  '',
  'A name that cannot exist at its place, such as `this.steps.lst` or `this.path.ticketID`, is an error when the document is checked.',
  '',
  '| | |',
  '| --- | --- |',
  '| `this.config` | the configuration of the integration; its credentials are not in it |',
  '| `this.credential` | the credential, in `credentials` and `base_url` only |',
  '| `this.session` | the token of a session, in its `as` and `logout` |',
  '| `this.input` | in `calls`: what the request that uses the call gives it by `with` |',
  "| `this.path` | the path parameters of the request, by the contract's names: `this.path.ticketId` |",
  '| `this.query` | the query parameters of the request |',
  '| `this.body` | the body of a create or patch, in the shape that `request` makes |',
  '| `this.file` | where the request brings a file: its `filename`, `type` and `size`, null where the client has not told it |',
  '| `this.current`, `this.changes` | in a patch: the record of the provider, and what is changed of it, null where a field was removed |',
  '| `this.limit`, `this.filters`, `this.orders` | in a list: how many rows are of use, and the conditions and orders that the provider applies: `{field, name, operator, values, value}`, times in milliseconds since 1970, and `{field, name, direction}`; name is what the provider calls the field |',
  '| `this.page` | where a paged list is: `limit`, and `offset`, `number`, `token` or `key`; with a window `from` and `until`; in a step with a page its own |',
  '| `this.steps.<name>` | the answers so far; of a step with `each` a list, of a step that its `when` left out, or that the provider refuses in [a list that goes on](lists.md#what-a-response-leaves-out), null |',
  '| `this.answers.<name>` | the same of their `status` and `headers`, with names in lower case: `this.answers.created.headers.location` |',
  '| `this.item` | in a step with `each`: the value it is called for |',
  '| `this.batch_id` | in a create: the id of a batch of a job, which is the same when the batch comes again, possibly with other records; null in requests of clients |',
  '| `this.marker` | in a create: a UUID that is the same when a request comes again with its `Idempotency-Key`, for `settle`; null without the key, and in jobs |',
  '| `this.since` | in a create: when the first request with its `Idempotency-Key` began; now without the key |',
  '| `this.now` | the time of the request, RFC 3339 |',
  '| `this.status`, `this.headers`, `this.body` | in `checks`, `errors`, `message`, `limited`, `warnings`, `poll` and `page`: the answer, headers in lower case; in `checks` the body that was sent is `this.sent` |',
  '| `@config`, `@path` | in mappings: the configuration and the path parameters |',
  '',
  ...answers,
  ...files,
  ...section('document', schema, 'The document'),
  ...objects.flatMap(([name, part]) => section(name, part)),
].join('\n');

const options = { parser: 'markdown', printWidth: 140, singleQuote: true };
const page = compactTables(await format(text, options));
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error(
      'docs/providers/documents.md is not up to date: node tools/provider-reference.mjs',
    );
    process.exit(1);
  }
} else writeFileSync(target, page);
