// Writes docs/limits.md from the constants of the code; with --check only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './install.mjs';

const dist = (path) => import(join(root, 'dist', `${path}.js`));
const gateway = (file) => dist(`apps/gateway/src/${file}`);
const { operations } = await import('#contract');
const { yamlLimits, maxLimits } = await import('@onefold/mapping');
const { changeLimits } = await import('#bus');
const { ConnectorSettings, HttpConfiguration } = await import('#config');
const [adapter, protocol, drain, bytes, brake, lane, budget, request, sso, upload, rates, agents] =
  await Promise.all(
    [
      'gateway-adapter',
      'refuse-protocol',
      'drain-body',
      'read-bytes',
      'auth-rate-limiter',
      'lookup-limiter',
      'body-budget',
      'read-request',
      'sign-on.controller',
      'upload',
      'rate-limits',
      'pending-agents',
    ].map(gateway),
  );
const query = await dist('libs/contract/src/read-query');
const { maxFilterValues, maxLikeLength } = await dist('libs/query/src/filter');
const { maxCallLength } = await dist('libs/meta/src/parse-call');
const { messageLimits } = await dist('apps/gateway/src/mcp/mcp.controller');
const { maxAnswerLength } = await dist('apps/gateway/src/mcp/fit-answer');
const { maxFileBytes } = await dist('apps/gateway/src/mcp/mcp-tools');
const { maxOffered } = await dist('apps/gateway/src/mcp/account-integrations');
const { maxCounts } = await dist('libs/meta/src/meta-calls');
const { maxWaitingCalls, shareTtlMs } = await dist('libs/provider-http/src/limits/budget-share');
const { maxOperations } = await dist('libs/patch/src/apply-patch');
const { limits: parts } = await dist('libs/connect/src/writes/open-upload');
const { fieldLimits } = await dist('libs/connect/src/drift/known-fields');
const { driftLimits } = await dist('libs/connect/src/drift/drift');
const { maxBody } = await dist('libs/connect/src/request-log/recorded-text');
const { maxCall, maxExchanges } = await dist('libs/connect/src/request-log/body-recording');
const { maxRecorded } = await dist('libs/connect/src/request-log/request-log');
const { maxRecordedCalls, maxRecordedSize } = await dist('libs/store/src/store');
const defaults = new HttpConfiguration();
const target = join(root, 'docs/limits.md');

const number = (value) => value.toLocaleString('en-US');
const size = (value) =>
  value % 1_048_576 === 0 ? `${number(value / 1_048_576)} MB` : `${number(value / 1_024)} KB`;
const seconds = (value) => `${value / 1_000} s`;
const pace = bytes.defaultPace;
const rate = ({ burst, perSecond }) => `${number(burst)} at once, ${number(perSecond)} per second`;
const tooMany = '429 with `Retry-After`';

const http = [
  ['request line and headers together', size(adapter.maxHeaderBytes), '431'],
  ['headers of a request', number(protocol.maxHeaders), '431'],
  ['time for the headers', seconds(adapter.headersMs), '408'],
  ['connections of a process', number(adapter.maxConnections), 'closed'],
  [
    'bridge agents that are not admitted yet, of these from one address',
    `${agents.maxPending}, ${agents.maxPendingOfAddress}`,
    'the oldest is closed, 429',
  ],
  ['characters of a query value', number(query.maxValueLength), '400'],
  ['values of a query parameter that may be repeated', number(query.maxRepeats), '400'],
  ['meta functions in a body, and counts in a call', `${request.maxMeta}, ${maxCounts}`, '400'],
  ['message to the MCP endpoint', size(messageLimits.maxBytes), '413'],
  [
    'characters of the answer of a tool, and bytes of a file that it returns',
    `${number(maxAnswerLength)}, ${size(maxFileBytes)}`,
    'cut with a note, refused',
  ],
  ['integrations that a tool offers by name', number(maxOffered), 'found by a list'],
  ['characters of a meta function', number(maxCallLength), '400'],
  ['values of a filter', number(maxFilterValues), '400'],
  ['characters of a `like` without a wildcard', number(maxLikeLength), '400'],
  [
    `JSON bodies that are held at one time (\`MAX_BODIES_BYTES\`)`,
    size(defaults.maxBodiesBytes),
    '503 with `Retry-After`',
  ],
  [
    'of these from one address, and from callers without a token',
    `${budget.addressShare * 100} %, ${budget.anonymousShare * 100} %`,
    '503 with `Retry-After`',
  ],
  [
    'memory that answers of providers and the records made of them take at one time, estimated (`MAX_RESPONSES_BYTES`)',
    size(new ConnectorSettings().maxResponsesBytes),
    '503 with `Retry-After`; 502 for a call that needs more than that alone',
  ],
  [
    'pace of a JSON body',
    `${size(pace.minBytes)} or its end in ${seconds(pace.windowMs)}, all of it in ${seconds(pace.maxMs)}`,
    '408',
  ],
  [
    'rest of a refused body that is read and dropped',
    `${size(drain.maxDrainBytes)}, ${seconds(drain.drainMs)}`,
    'closed',
  ],
  ['operations of a JSON Patch', number(maxOperations), '400'],
  ['upload of a file (`MAX_UPLOAD_BYTES`)', size(defaults.maxUploadBytes), '413'],
  ['silence during an upload', seconds(upload.defaultSilenceMs), '408'],
  [
    'parts of an upload: files, other fields, bytes of a field that are read',
    `${parts.files}, ${parts.fields}, ${size(parts.fieldSize)}`,
    '400',
  ],
  [
    'SAML response: bytes, fields of the form',
    `${size(sso.maxFormBytes)}, ${sso.maxFormFields}`,
    '413, 400',
  ],
  ['code of a sign-on that is exchanged', size(sso.codeLimits.maxBytes), '413'],
  [
    'look-ups of tokens that the process has not found valid before: at one time, waiting',
    `${lane.maxRunning}, ${number(lane.maxWaiting)}`,
    '503 with `Retry-After`',
  ],
  [
    `the same for an address with ${brake.maxFailures} unknown tokens in ${seconds(brake.windowMs)}`,
    `${lane.maxRunningBraked}, ${lane.maxWaitingBraked}`,
    '429 with `Retry-After`',
  ],
  [
    `wrong passwords of an address in ${seconds(brake.windowMs)}`,
    number(brake.maxFailures),
    '429 with `Retry-After`',
  ],
  ['requests of an address without a token (below)', rate(rates.anonymousRate), tooMany],
  ['webhook messages of a token', rate(rates.hookRate), tooMany],
];

const groups = new Map();
for (const { limits, id, public: isPublic } of operations.values()) {
  if (limits === null) continue;
  const key = JSON.stringify(limits);
  const group = groups.get(key) ?? { limits, ids: [], isPublic };
  group.ids.push(id);
  groups.set(key, group);
}
const maxCount = Math.max(...[...groups.values()].map(({ ids }) => ids.length));
const bodies = [...groups.values()]
  .sort((a, b) => a.limits.maxBytes - b.limits.maxBytes)
  .map(({ limits: { maxBytes, maxValues, maxDepth }, ids }) => [
    ids.length === maxCount ? 'all others' : ids.map((id) => `\`${id}\``).join(', '),
    size(maxBytes),
    number(maxValues),
    number(maxDepth),
  ]);

const documents = [
  ['characters of a mapping or provider document', number(yamlLimits.maxCharacters)],
  ['its tokens', number(yamlLimits.maxTokens)],
  ["depth of the parser's stack", number(yamlLimits.maxDepth)],
  ['its aliases', number(yamlLimits.maxAliases)],
  [
    'a mapping run: steps, bytes, processor time (`MAPPING_BUDGETS`)',
    `${number(maxLimits.fuel)}, ${size(maxLimits.bytes)}, ${seconds(maxLimits.deadlineMs)}`,
  ],
  [
    'characters of a text in it, elements of an array',
    `${number(maxLimits.stringLength)}, ${number(maxLimits.arrayLength)}`,
  ],
];

const [
  signOns,
  signIn,
  authorizations,
  sessions,
  circuits,
  slots,
  callers,
  tokens,
  jobs,
  schedules,
  bridge,
  hello,
] = await Promise.all(
  [
    'libs/management/sso/src/sign-ons',
    'libs/management/auth/src/sign-in',
    'libs/management/connect-sessions/src/authorization-record',
    'libs/provider-http/src/credentials/sessions',
    'libs/egress/src/circuits',
    'libs/provider-http/src/limits/call-slots',
    'apps/gateway/src/callers',
    'libs/provider-http/src/credentials/access-tokens',
    'libs/jobs/src/admit-runs',
    'libs/management/jobs/src/check-schedules',
    'libs/bridge/src/limits',
    'libs/bridge/src/handshake',
  ].map(dist),
);
const minutes = (value) => `${value / 60_000} min`;
const place = (name) => `\`${name}\``;
const places = [
  [
    'a connection to the gateway',
    number(adapter.maxConnections),
    'process',
    `when its client closes it, or ${seconds(adapter.keepAliveMs)} after its last response`,
    place('connection'),
    'gateway',
  ],
  [
    'an agent that is not admitted yet',
    `${agents.maxPending}, ${agents.maxPendingOfAddress}`,
    'process, address',
    `with its socket, or when it is admitted or refused; the handshake takes ${seconds(hello.handshakeMs)} at most`,
    place('pending_agent'),
    'gateway',
  ],
  [
    'a request at an agent',
    number(bridge.maxStreams),
    'process, connection of the agent',
    'with the end of both bodies, when its caller leaves, or with the connection',
    place('agent_request'),
    'links',
  ],
  [
    "bytes of an agent's connection that nobody has read",
    size(bridge.maxUnreadBodyBytes),
    'process, connection of the agent',
    'when they are read, or their reader leaves; the request that brings more fails',
    '`onefold_agent_bytes_unread`',
    'links',
  ],
  [
    'bytes of a JSON body',
    size(defaults.maxBodiesBytes),
    'process; shares of an address and of callers without a token',
    'with the response',
    '`onefold_body_bytes_held`',
    'service',
  ],
  [
    'a look-up of a token',
    `${lane.maxRunning}, ${number(lane.maxWaiting)} waiting`,
    'process; fewer of an address with unknown tokens',
    'with its answer',
    place('token_lookup'),
    'gateway',
  ],
  [
    'a caller that is known',
    number(callers.maxCallers),
    'process',
    `when a record that it depends on changes, or one more drops the one not used for longest; it is looked up again after ${seconds(changeLimits.rememberedMs)}, and when that is over, new ones drop it`,
    place('known_caller'),
    'gateway',
  ],
  [
    'a session of a member',
    number(signIn.maxSessions),
    'member',
    'when it is ended or expires; one more ends the oldest',
    '`tokens`',
    'service',
  ],
  [
    'a sign-on at an identity provider',
    `${signOns.maxPerAddress}, ${number(signOns.maxPerOrganization)}`,
    'address, organization',
    `with its end, or after ${minutes(signOns.signOnMs)}`,
    '`sso_sign_ons`',
    'service',
  ],
  [
    'an authorization that waits for a person',
    number(authorizations.maxPending),
    'account',
    `with the decision, or after ${minutes(authorizations.decisionMs)}`,
    '`connect_authorizations`',
    'service',
  ],
  [
    'a run of a job in the queue',
    `${jobs.maxRunsPerOrganization}, ${jobs.maxRunsPerAccount}`,
    'organization, account',
    'after each page, and while it waits to be tried again',
    '`operation_runs`',
    'jobs',
  ],
  [
    'a schedule',
    number(schedules.maxSchedules),
    'integration',
    'when it is deleted',
    '`operation_schedules`',
    'service',
  ],
  [
    'a call to a host',
    `${slots.maxCallsPerHost}, ${slots.maxCallsPerTenant}, ${slots.maxCallsPerCredential}`,
    'process, organization, credential; these in turn',
    'with the response, or the deadline of the call',
    place('host_call'),
    'hosts',
  ],
  [
    'a file to or from a host',
    `${slots.maxFilesPerHost}, ${slots.maxFilesPerTenant}`,
    'process, organization',
    'with the end of the file, or a minute without progress',
    place('host_file'),
    'hosts',
  ],
  [
    'a session at a provider',
    number(sessions.maxSessions),
    'process',
    `after ${minutes(sessions.maxIdleMs)} without a call; one more ends the one not used for longest`,
    place('provider_session'),
    'hosts',
  ],
  [
    'an access token of a provider',
    number(tokens.maxKnown),
    'process',
    'one more drops the one not used for longest; one that has expired is not used',
    place('provider_token'),
    'hosts',
  ],
  [
    'the circuit of a host',
    number(circuits.defaultMaxHosts),
    'process',
    'one more drops the one not used for longest',
    place('host_circuit'),
    'hosts',
  ],
  [
    'a call that waits for a budget of a provider',
    number(maxWaitingCalls),
    'process, budget of a credential',
    'with its turn, when its caller leaves, or at its deadline',
    place('budget_waiting'),
    'budgets',
  ],
  [
    'a permit of a credential',
    'as the provider allows',
    'credential',
    `with the response; ${seconds(shareTtlMs)} after its process was killed`,
    '`provider_budgets`',
    'budgets',
  ],
].map(([what, bound, whose, ends, counted, spec]) => [
  what,
  bound,
  whose,
  ends,
  counted,
  `[\`${spec}\`](../test/attack/releases/${spec}.spec.ts)`,
]);

const files = await dist('libs/fakes/src/state/fake-files');
const storage = await dist('libs/fakes/src/state/store-storage');
const { maxWorldScale } = await import('#config');
const mocks = [
  [
    'a file, if the fake names no other size',
    size((await dist('libs/fakes/src/document/read-route')).defaultMaxFileBytes),
    '413',
  ],
  ['all files of an integration', size(files.maxFilesBytes), '409'],
  ['changed records of an integration', number(storage.maxEntries), '409'],
  ['their size as JSON', size(storage.maxEntryBytes), '409'],
  ['all files of `npm run provider -- fake`', size(files.maxFilesBytes), "the fake's 413"],
  [
    'repetitions of the company (`WORLD_SCALE`)',
    number(maxWorldScale),
    'the process does not start',
  ],
];

const forgotten = 'the one that is known for longest is forgotten';
const drift = [
  [
    'findings in the status of an integration',
    String(driftLimits.maxOfIntegration),
    'the one that was not seen for longest is dropped',
  ],
  [
    'findings of a process that wait for the database',
    number(driftLimits.maxWaiting),
    'counted, not listed',
  ],
  [
    `findings of a process that were written in the last ${driftLimits.rewriteMs / 60_000} min`,
    number(driftLimits.maxRemembered),
    forgotten,
  ],
  [
    'operations of providers whose fields a process knows',
    number(fieldLimits.maxOperations),
    forgotten,
  ],
  ['fields of each', number(fieldLimits.maxFields), 'further ones are not reported'],
  ['integrations of each', number(fieldLimits.maxIntegrations), forgotten],
];

const cut = 'cut, and counted in `omitted`';
const recorded = [
  ['characters of a body', number(maxBody), cut],
  ['characters of the bodies of a call', number(maxCall), cut],
  ['requests to the provider of a call', number(maxExchanges), 'counted in `omitted_exchanges`'],
  [
    'calls of an integration, and characters of their sealed bodies',
    `${number(maxRecordedCalls)}, ${number(maxRecordedSize)}`,
    'the oldest bodies are deleted',
  ],
  [
    'characters of bodies in a process that wait for the database',
    number(maxRecorded),
    'the call is logged without bodies',
  ],
];

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const text = await format(
  `# Limits

Everything that a stranger can send has a bound. This page is written by \`node tools/limits-reference.mjs\` from the code; \`npm run check\`
compares. Numbers with a name in capitals are [settings](configuration.md).

## Requests

${table(['What', 'Bound', 'Beyond it'], http)}

Requests of an address without a token are those that the database is asked for: logons, the steps of a sign-on, the page of the Connect UI of an
organization, and the return from a provider's page of consent. The address is that of the client behind the proxies that \`PROXY_HOPS\` counts; the
first 64 bits of an IPv6 address count as one. Each gateway counts for itself.

## Places

What is accepted holds a place until it ends. Beyond the bound further ones are refused or wait, unless the column "Ends" says otherwise. The places
of a process are those of each process; all others are counted in the database. "Counted by" is the kind of the metric \`onefold_places_held\`, a metric of
its own, or a table. The spec of a row takes places to their bound, lets what they are for end in every way, and finds the count as it was before.

${table(['What', 'Bound', 'Whose', 'Ends', 'Counted by', 'Spec'], places)}

## JSON bodies

Bytes beyond the bound are a 413; values (fields and items, all levels together) and levels a 400 that names the place. The served OpenAPI
documents show them as \`x-limits\`. No body is larger than \`MAX_BODY_BYTES\` (${size(defaults.maxBodyBytes)}). U+0000 and halves of surrogate pairs are a 400 in
every path, query and body, but for webhook messages, which providers write: nothing can store them. Send binary content as base64.

${table(['Operations', 'Bytes', 'Values', 'Levels'], bodies)}

## Documents that customers write

Beyond a bound a document is refused with a 400, and a run of a mapping fails with an error that names mapping, template and bound.
\`MAPPING_BUDGETS\` lowers steps, bytes and time: \`*\` those of every run in the process, expressions of provider documents included, and the id
of an integration, an account or an organization those of the mappings and expressions that run for it. The lowest percentage applies.

${table(['What', 'Bound'], documents)}

## Mocks

[Mocks](fakes.md#mocks) keep what their callers change. Beyond a bound the change is refused, with the remedy, and what was stored before stays.

${table(['What', 'Bound', 'Beyond it'], mocks)}

## Drift

[What shows that vendors change their APIs](providers/drift.md#by-the-running-service) is kept in processes and in the statuses of integrations.

${table(['What', 'Bound', 'Beyond it'], drift)}

## Recorded bodies

[Bodies of calls](requests.md#bodies) are recorded where somebody has switched that on.

${table(['What', 'Bound', 'Beyond it'], recorded)}
`,
  { parser: 'markdown', printWidth: 140, proseWrap: 'preserve' },
);

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error(
    'docs/limits.md is not what the code says. Run node tools/limits-reference.mjs and commit it.',
  );
  process.exit(1);
}
