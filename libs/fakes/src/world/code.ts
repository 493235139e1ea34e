import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { Random } from './random.js';
import type { CodeFinding, Repository, Severity } from './types.js';
import { vulnerabilitiesOf } from './vulnerabilities.js';

export function* makeRepositories(context: WorldContext): Generator<Repository> {
  yield {
    key: 'rep-0001',
    name: 'instrument-cloud',
    full_name: 'alderpoint/instrument-cloud',
    description: 'Web portal and API of connected instruments',
    language: 'TypeScript',
    default_branch: 'main',
    visibility: 'private',
    owner: keyOf('emp', 18),
    criticality: 'high',
    ...stamp('created', context.daysAgo(1_400)),
    ...stamp('pushed', context.at(-1, '07:12')),
  };
  yield {
    key: 'rep-0002',
    name: 'telemetry-service',
    full_name: 'alderpoint/telemetry-service',
    description: 'Receives measurements of instruments',
    language: 'Java',
    default_branch: 'main',
    visibility: 'internal',
    owner: keyOf('emp', 24),
    criticality: 'medium',
    ...stamp('created', context.daysAgo(1_900)),
    ...stamp('pushed', context.at(-3, '15:40')),
  };
}

type Row = readonly [
  repository: number,
  kind: CodeFinding['kind'],
  rule: string,
  title: string,
  severity: Severity,
  state: CodeFinding['state'],
  path: string,
  line: number | null,
  cwe: string | null,
];

const rows: readonly Row[] = [
  [
    1,
    'code',
    'js/sql-injection',
    'Database query built from user-controlled sources',
    'high',
    'open',
    'src/orders/search.ts',
    88,
    'CWE-89',
  ],
  [
    1,
    'code',
    'js/path-injection',
    'Uncontrolled data used in path expression',
    'high',
    'open',
    'src/exports/download.ts',
    41,
    'CWE-22',
  ],
  [
    1,
    'code',
    'js/reflected-xss',
    'Reflected cross-site scripting',
    'high',
    'fixed',
    'src/portal/login.ts',
    130,
    'CWE-79',
  ],
  [
    1,
    'code',
    'js/clear-text-logging',
    'Clear-text logging of sensitive information',
    'high',
    'open',
    'src/auth/session.ts',
    17,
    'CWE-312',
  ],
  [
    1,
    'code',
    'js/weak-cryptographic-algorithm',
    'Use of a broken or weak cryptographic algorithm',
    'medium',
    'dismissed',
    'src/devices/checksum.ts',
    9,
    'CWE-327',
  ],
  [
    1,
    'code',
    'js/missing-rate-limiting',
    'Missing rate limiting',
    'medium',
    'open',
    'src/api/routes.ts',
    52,
    'CWE-770',
  ],
  [
    1,
    'secret',
    'metrics_api_key',
    'API key of the metrics system',
    'high',
    'fixed',
    'deploy/values.yaml',
    12,
    'CWE-798',
  ],
  [
    1,
    'secret',
    'aws_access_key_id',
    'Access key of build-deploy',
    'critical',
    'open',
    'scripts/release.sh',
    6,
    'CWE-798',
  ],
  [
    2,
    'code',
    'java/unsafe-deserialization',
    'Deserialization of user-controlled data',
    'critical',
    'open',
    'src/main/java/telemetry/Receiver.java',
    203,
    'CWE-502',
  ],
  [
    2,
    'code',
    'java/xxe',
    'Resolving XML external entity in user-controlled data',
    'high',
    'open',
    'src/main/java/telemetry/Import.java',
    77,
    'CWE-611',
  ],
  [
    2,
    'code',
    'java/insecure-randomness',
    'Insecure randomness',
    'medium',
    'fixed',
    'src/main/java/telemetry/Token.java',
    24,
    'CWE-330',
  ],
];

/** Findings in code, and one per dependency with a vulnerability of the world. */
export function* makeCodeFindings(context: WorldContext): Generator<CodeFinding> {
  let number = 0;
  for (const [repository, kind, rule, title, severity, state, path, line, cwe] of rows) {
    number++;
    const random = new Random(context.seed, 'code finding', number);
    // The secret of the metrics system is the one of incident 4.
    const created =
      rule === 'metrics_api_key' ? context.at(-8, '16:44') : context.daysAgo(random.int(3, 120));
    yield {
      key: keyOf('cde', number),
      number,
      repository: keyOf('rep', repository),
      kind,
      rule,
      title,
      severity,
      state,
      path,
      line,
      cwe,
      vulnerability: null,
      package: null,
      package_version: null,
      fixed_version: null,
      ...stamp('created', created),
      ...stamp('changed', state === 'open' ? created : created + 7_200_000),
    };
  }
  for (const one of vulnerabilitiesOf('log4j')) {
    number++;
    const created = context.daysAgo(140);
    yield {
      key: keyOf('cde', number),
      number,
      repository: 'rep-0002',
      kind: 'dependency',
      rule: one.key,
      title: one.title,
      severity: one.severity,
      state: 'open',
      path: 'pom.xml',
      line: 64,
      cwe: one.cwe,
      vulnerability: one.key,
      package: 'org.apache.logging.log4j:log4j-core',
      package_version: one.affected_from,
      fixed_version: one.fixed_version,
      ...stamp('created', created),
      ...stamp('changed', created),
    };
  }
}
