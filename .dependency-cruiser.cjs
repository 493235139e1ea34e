// Who may import whom. Each rule says why; docs/architecture.md draws the picture.
const to = (path) => ({ path });
const inMapping = (folders) => `^libs/mapping/src/(${folders})/`;

// The floors of libs/mapping: each may import those before it.
const mappingFloors = ['yaml', 'language', 'methods', 'closures', 'codegen', 'document', 'command'];
const mappingStaircase = mappingFloors.slice(0, -1).map((floor, index) => ({
  name: `mapping-${floor}-imports-no-higher-floor`,
  comment:
    'Each floor works without those above it: a language without methods, closures without generated code.',
  severity: 'error',
  from: { path: inMapping(floor), pathNot: '\\.spec\\.ts$' },
  to: to(`${inMapping(mappingFloors.slice(index + 1).join('|'))}|^libs/mapping/src/index`),
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle means two rooms are one: move what both need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-libs-stand-alone',
      comment:
        'client, mapping, meta, patch and query are publishable on their own: they import nothing of ours and no framework.',
      severity: 'error',
      from: { path: '^libs/(client|mapping|meta|patch|query)/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps|test)/|@nestjs|typeorm|@nats-io|rxjs', pathNot: '^libs/$1/' },
    },
    ...mappingStaircase,
    {
      name: 'gateway-knows-no-domain',
      comment:
        'The gateway forwards by contract; a domain or provider in it would need a gateway release per provider.',
      severity: 'error',
      from: { path: '^apps/gateway/' },
      to: to('^libs/(domains|providers|management|connect|provider-document|provider-http)/'),
    },
    {
      name: 'providers-are-islands',
      comment:
        'A provider folder can be deleted without touching another. The mock keeps its records in the database (libs/store).',
      severity: 'error',
      from: { path: '^libs/providers/([^/]+)/', pathNot: '^libs/providers/(src|mock-ticketing)/' },
      to: {
        path: '^libs/(providers|domains|management|store)/',
        pathNot: '^libs/providers/$1/',
      },
    },
    {
      name: 'store-knows-no-work',
      comment:
        'Queue, jobs and outbox are made of the store and stand on it. What runs the migrations gives it those of the queue.',
      severity: 'error',
      from: { path: '^libs/store/src/', pathNot: '\\.spec\\.ts$' },
      to: to('^libs/(queue|jobs|outbox)/'),
    },
    {
      name: 'ocsf-knows-no-service',
      comment:
        'The lint and the shared templates serve tests, commands and every process: they need the schemas and the mapping language.',
      severity: 'error',
      from: { path: '^libs/ocsf/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(libs|apps|test)/|@nestjs', pathNot: '^libs/(ocsf|contract|mapping)/' },
    },
    {
      name: 'provider-documents-call-nobody',
      comment:
        'Management and the provider kit read, check and describe documents without anything that could call a provider or a database.',
      severity: 'error',
      from: { path: '^libs/provider-document/src/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^libs/|@nestjs|typeorm',
        pathNot: '^libs/(provider-document|document|contract|mapping|ocsf|query)/',
      },
    },
    {
      name: 'provider-http-knows-no-document',
      comment:
        'It sends requests that others have made, so that it can be tested and used without a provider document.',
      severity: 'error',
      from: { path: '^libs/provider-http/' },
      to: to('^libs/(provider-document|connect|domains|providers|management)/'),
    },
    {
      name: 'management-calls-no-provider',
      comment:
        'Management describes providers and asks a connector over the bus to call them. The mock has no document: it loads its code when it is used.',
      severity: 'error',
      from: { path: '^(libs/management|libs/providers/src|apps/management)/' },
      to: to('^libs/(connect|provider-http)/'),
    },
    {
      name: 'rooms-meet-at-the-index',
      comment:
        'Deep paths make every file public: export by name from src/index.ts and import the alias.',
      severity: 'error',
      from: { path: '^libs/((?:management|domains|providers)/[^/]+|[^/]+)/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/$1/',
          '/src/index\\.ts$',
          '^libs/providers/[^/]+/index\\.ts$',
          '^libs/(config|observe)/src/runtime\\.ts$', // for programs that need little memory
        ],
      },
    },
    {
      name: 'libs-import-no-app',
      comment: 'Apps are lists of modules; a lib that needs one is in the wrong place.',
      severity: 'error',
      from: { path: '^libs/' },
      to: to('^apps/'),
    },
    {
      name: 'apps-import-no-app',
      comment:
        'What two processes need is a room of libs/. Only standalone is made of the other processes.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console calls the API as any customer could, so it needs types of the contract, its list of operations and of kinds of credentials, the schema of provider documents for their editor, and no code of ours.',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: {
        path: '^(libs|apps|test|tools)/',
        pathNot: [
          '^apps/console/web/',
          '^libs/contract/src/generated/(sent-operations|credential-kinds)\\.json$',
          '^libs/provider-document/src/provider-document\\.schema\\.json$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'screens-are-islands',
      comment:
        'A screen can be deleted or rewritten without touching another: what two of them need is a part, or belongs to api.',
      severity: 'error',
      from: { path: '^apps/console/web/screens/([^/.]+)' },
      to: {
        path: '^apps/console/web/screens/',
        pathNot: '^apps/console/web/screens/$1(/|\\.tsx?$)',
      },
    },
    {
      name: 'parts-know-no-screen',
      comment:
        'Parts are loaded with many screens: one that imports a screen would bring it along.',
      severity: 'error',
      from: { path: '^apps/console/web/(api|forms|parts)/' },
      to: to('^apps/console/web/screens/'),
    },
    {
      name: 'gateway-knows-no-console',
      comment:
        'The gateway serves a folder of built files (libs/pages) and does not know their content.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^apps/console/' },
      to: to('^apps/console/'),
    },
    {
      name: 'one-way-out',
      comment:
        'Every outgoing address passes the egress policy: call providers by ProviderHttp, others through createDispatcher of libs/egress. Only these rooms hold a client that is given it. The provider kit runs on the machine of whoever writes a provider, and calls what they tell it to. libs/fakes stands in for undici, and connects to nothing. A bridge agent runs in a network of a customer: the allow-list of its file takes the place of the egress policy. libs/mail connects to the mail server of the operator.',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot: [
          '\\.(spec|fixture)\\.ts$',
          '^libs/egress/',
          '^apps/bridge-agent/',
          '^libs/fakes/src/serve/',
          '^apps/provider-kit/',
          '^libs/provider-http/',
          '^libs/deliver/',
          '^libs/mail/',
          '^libs/management/sso/src/',
        ],
      },
      to: { path: '(^|/)(undici|nodemailer)(/|$)|^(https|http2|tls|dgram)$' },
    },
    {
      name: 'product-imports-no-test-tree',
      comment: 'Nothing that ships may need the tests.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: '\\.(spec|fixture)\\.ts$' },
      to: to('^test/'),
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs/mapping/)?dist(/|$)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
