import { servedDomains } from '#contract';
import { seconds, servedBy } from './find-problems.js';
import type { Status } from './status.js';

const maxCellLength = 60;
const maxFailing = 5;

/** Prints the state of an installation for a screen. */
export function printStatus(status: Status): string {
  const { at, ok, problems, notes } = status;
  return [
    `Onefold at ${at}: ${ok ? 'everything that was asked is well' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`}`,
    '',
    ...processLines(status),
    ...partLines(status),
    ...failingLines(status),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `note: ${note}`)] : []),
    ...(problems.length > 0 ? ['', 'PROBLEMS', ...problems.map((one) => `  ${one}`)] : []),
  ].join('\n');
}

function processLines({ processes = [], silent = [] }: Status): string[] {
  const rows = [
    ['PROCESS', 'KIND', 'VERSION', 'KEY', 'CLOCK', 'SINCE', 'STATE', 'SERVES'],
    ...processes.map((one) => [
      one.process,
      one.kind ?? 'older version',
      one.version ?? '?',
      one.key ?? one.busKey ?? '?',
      one.clockMs === undefined ? '' : seconds(one.clockMs),
      one.startedAt?.slice(0, 19).replace('T', ' ') ?? '?',
      one.ready === undefined ? '?' : one.ready ? 'ready' : 'NOT READY',
      served(one.domains ?? one.serves ?? []),
    ]),
    ...silent.map(({ process, serves }) => [
      process,
      '?',
      '?',
      '?',
      '?',
      '?',
      'SILENT',
      serves.join(' '),
    ]),
  ];
  return rows.length > 1 ? [...table(rows), ''] : [];
}

function served(domains: readonly string[]): string {
  return domains.length === servedDomains.length ? 'all domains' : domains.join(' ');
}

function partLines({
  processes,
  nats,
  database,
  queue,
  jobs,
  unasked,
  integrations,
}: Status): string[] {
  const why = (part: string) =>
    `not asked: ${unasked.find((one) => one.part === part)?.reason ?? (database === undefined ? 'the database does not answer' : 'see below')}`;
  const counts =
    processes && [...servedBy(processes)].sort(([one], [other]) => one.localeCompare(other));
  const lines: [string, string][] = [
    [
      'domains',
      counts === undefined
        ? why('processes')
        : counts.map(([domain, count]) => `${domain} ${count}`).join(', ') || 'none',
    ],
    [
      'nats',
      nats === undefined ? natsLine(unasked) : `nats-server ${nats.version} at ${nats.hosts}`,
    ],
    [
      'database',
      database === undefined
        ? why('database')
        : `PostgreSQL ${database.version}, ${database.ms} ms`,
    ],
    [
      'queue',
      queue === undefined
        ? why('queue')
        : `${queue.waiting} wait (oldest ${queue.oldestSeconds} s), ${queue.running} run, ${queue.delayed} later, ${queue.dead} dead`,
    ],
    [
      'jobs',
      jobs === undefined
        ? why('jobs')
        : `${jobs.waiting} wait (oldest ${jobs.oldestSeconds} s), ${jobs.running} run, ${jobs.failing} fail`,
    ],
    [
      'integrations',
      integrations === undefined
        ? why('integrations')
        : `${integrations.total}, ${integrations.failing} fail`,
    ],
  ];
  return lines.map(([name, says]) => `${name.padEnd(14)}${says}`);
}

function natsLine(unasked: Status['unasked']): string {
  const reason = unasked.find(({ part }) => part === 'processes')?.reason;
  return reason === undefined ? 'none: all is in one process' : `not asked: ${reason}`;
}

function failingLines({ integrations, providersDown }: Status): string[] {
  const last = (integrations?.last ?? []).slice(0, maxFailing);
  return [
    ...(last.length === 0
      ? []
      : [
          '',
          ...table([
            ['FAILING', 'ORGANIZATION', 'ACCOUNT', 'PROVIDER', 'STATE', 'SINCE', 'ERROR'],
            ...last.map((one) => [
              one.id,
              one.organization,
              one.account,
              one.provider,
              one.status,
              one.since ?? '',
              one.error ?? '',
            ]),
          ]),
        ]),
    ...(providersDown.length === 0
      ? []
      : [
          '',
          ...table([
            ['PROVIDER DOWN', 'LAST FAILURE', 'AT', 'CONNECTOR'],
            ...providersDown.map(({ host, reason, at, process }) => [host, reason, at, process]),
          ]),
        ]),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(cut));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Errors have words of providers: control characters do not reach the terminal. */
function cut(cell: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is taken out
  const plain = cell.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
  return plain.length > maxCellLength ? `${plain.slice(0, maxCellLength - 1)}…` : plain;
}
