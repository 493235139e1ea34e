// Writes docs/idempotency.md from the documents of libs/providers; with --check only says whether it is up to date. Needs a build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { compiledOf } from '../dist/apps/provider-kit/src/compiled-folder.js';
import { providerFolders } from '../dist/apps/provider-kit/src/folders.js';
import { operations } from '../dist/libs/contract/src/index.js';
import { root } from './install.mjs';

const target = join(root, 'docs/idempotency.md');

/** How the next request with the key ends, by what the document says. */
function outcomeOf(settle) {
  if (settle === undefined) return ['nothing', '409 that says what to look for'];
  const by = `[${settle.source.by ?? 'the record itself'}](${settle.source.source})`;
  if (settle.search === undefined) return [by, 'sent again, which makes nothing twice'];
  const { after } = settle.source;
  const from = after === undefined ? '' : `, from ${after} s after the first request on`;
  return [by, `looked for${from}; made if it is not there`];
}

const rows = providerFolders()
  .filter(({ isMadeUp }) => !isMadeUp)
  .flatMap((folder) => compiledOf(folder).compiled)
  .flatMap(({ source, operations: offered }) =>
    [...offered].flatMap(([id, { settle }]) =>
      operations.get(id)?.creates
        ? [[source.fullname, `\`${source.provider}\``, `\`${id}\``, ...outcomeOf(settle)]]
        : [],
    ),
  );

const text = `# Creating once

The table of this page is written by \`node tools/idempotency-table.mjs\` from the documents of the providers; \`npm run check\` compares.

A create takes an \`Idempotency-Key\`: a text of up to 255 characters that is new for each record, such as a UUID. A request that comes again with its key, within a day, has
the first answer again and creates nothing. Another request with the key is a 409, and so is one while the first is under way. Keys belong to the integration, so those of others
have nothing to do with them.

\`\`\`bash
curl -s "$URL/v1/ticketing/tickets" -H "authorization: Bearer $INTEGRATION_TOKEN" -H 'content-type: application/json' \\
  -H 'idempotency-key: 0d0e7c5a-6a2c-4f4e-9d6b-6a6f0a1c7e11' -d '{"name": "VPN is down"}'
\`\`\`

## When nobody knows what the first request has done

The answer of the provider is late or lost, the connection breaks, the provider answers 5xx, the caller is gone, or the process that took the call is killed: the record may be
there, or not. **Send the same request again with the same key.**

- **What certainly did nothing** (the provider refused it, or was never reached) leaves the key free: the request is a first one again.
- **Where the provider knows the record again**, by a marker that Onefold sends with it, the next request settles it: the record is found and returned as the answer of the first
  request, with the steps behind it that are missing; or it is created, if it is not there.
- **Where the provider has nothing to know it by**, or does not let the credential look, the answer is a 409 of the type \`urn:onefold:problem:outcome-unknown\`. It says what
  to look for: which record, by which name, created since when. If it is there, nothing is to be sent; if not, send the request with a new key.
- **Where the provider finds it only later**, the answer is the same 409 with \`Retry-After\`: send the request again then.
- **A call whose process was killed** counts as under way until its time is over, a minute or, where the provider is waited for, five: until then the answer is a 409 with
  \`Retry-After\`.

\`\`\`json
{
  "type": "urn:onefold:problem:outcome-unknown",
  "status": 409,
  "message": "it is not known whether sink_splunk has made the events: the first call with this Idempotency-Key ended without an answer",
  "detail": "The first call began at 2026-11-28T10:00:00.000Z.",
  "remediation": "Look at the provider for the events, created since 2026-11-28T10:00:00.000Z. If it is there, …"
}
\`\`\`

The marker is a UUID that is not the key. It stays with the record, where people who use the provider may see it, such as \`correlation_id\` of ServiceNow. Without a key nothing
is sent, and nothing is settled.

\`npm test -- test/fakes/repeated-creates\` cuts each create of each vendor that has a fake off at each of its requests, before the provider and behind it, in six ways, repeats it
with its key, and counts the records: none is made twice, and none is missing without a word. Documents say how by [\`settle\`](providers/writing.md#writes).

## How each create is settled

| Provider | Id | Operation | Known again by | The next request with the key |
| --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
const page = await format(text, { parser: 'markdown', printWidth: 140, singleQuote: true });
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error('docs/idempotency.md is not up to date: node tools/idempotency-table.mjs');
    process.exit(1);
  }
} else writeFileSync(target, page);
