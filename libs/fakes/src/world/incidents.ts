import { keyOf } from './company.js';
import { maybeStamp, stamp, type WorldContext } from './context.js';
import { makeAlerts } from './alerts.js';
import { story } from './story.js';
import type { Incident, Severity } from './types.js';

type Row = readonly [
  day: number,
  time: string,
  title: string,
  description: string,
  severity: Severity,
  status: Incident['status'],
  verdict: Incident['verdict'],
  assignee: number | null,
  people: readonly number[],
  devices: readonly number[],
  hoursToClose: number | null,
];

const rows: readonly Row[] = [
  [
    -13,
    '07:40',
    'Unsigned driver blocked on a lab workstation',
    'The endpoint agent blocked a driver of an old spectrometer.',
    'low',
    'closed',
    'false_positive',
    11,
    [27],
    [27],
    5,
  ],
  [
    -11,
    '14:05',
    'Password spraying against the VPN',
    'One password was tried for 31 accounts from one address. No logon succeeded.',
    'medium',
    'closed',
    'true_positive',
    11,
    [31, 10],
    [59],
    20,
  ],
  [
    -9,
    '09:25',
    'Adware installer on a sales laptop',
    'A bundled installer was quarantined before it ran.',
    'low',
    'closed',
    'true_positive',
    13,
    [32],
    [32],
    3,
  ],
  [
    -8,
    '16:50',
    'Secret committed to a repository',
    'An API key of the metrics system was pushed and has been replaced.',
    'medium',
    'resolved',
    'true_positive',
    13,
    [21],
    [],
    6,
  ],
  [
    -6,
    '11:15',
    'Storage bucket readable by everybody',
    'A bucket with product brochures was public; nothing else was in it.',
    'medium',
    'resolved',
    'false_positive',
    13,
    [33],
    [],
    28,
  ],
  [
    -4,
    '08:10',
    'Impossible travel of an account manager',
    'Two logons from Lisbon and Toronto within an hour. The second was through the VPN gateway.',
    'medium',
    'in_progress',
    null,
    11,
    [31],
    [31],
    null,
  ],
  [
    -2,
    '13:30',
    'Port scan inside the server network',
    'The metrics server connected to many ports of its neighbours.',
    'medium',
    'new',
    null,
    null,
    [],
    [52],
    null,
  ],
  [
    story.day,
    story.incidentOpened,
    'Account and workstation of a build engineer compromised',
    'Forged customs documents led to stolen credentials, code execution on AP-UTR-L0019, a control connection and use of a cloud access key.',
    'critical',
    'in_progress',
    'true_positive',
    story.responder,
    [story.victim, story.reporter, story.otherRecipient],
    [story.victim],
    null,
  ],
];

export function* makeIncidents(context: WorldContext): Generator<Incident> {
  const alerts = [...makeAlerts(context)];
  for (const [index, row] of rows.entries()) {
    const [
      day,
      time,
      title,
      description,
      severity,
      status,
      verdict,
      assignee,
      people,
      devices,
      hours,
    ] = row;
    const key = keyOf('inc', index + 1);
    const created = context.at(day, time);
    const closed = hours === null ? null : created + hours * 3_600_000;
    yield {
      key,
      number: 1_200 + index + 1,
      title,
      description,
      severity,
      status,
      verdict,
      assignee: assignee === null ? null : keyOf('emp', assignee),
      people: people.map((number) => keyOf('emp', number)),
      devices: devices.map((number) => keyOf('dev', number)),
      alerts: alerts.filter((alert) => alert.incident === key).map((alert) => alert.key),
      ticket: key === story.incident ? story.ticket : null,
      ...stamp('created', created),
      ...stamp(
        'changed',
        closed ??
          (key === story.incident ? context.at(story.day, story.chatOpened) : created + 5_400_000),
      ),
      ...maybeStamp('closed', closed),
    };
  }
}
