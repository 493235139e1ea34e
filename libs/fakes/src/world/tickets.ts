import { keyOf } from './company.js';
import { maybeStamp, stamp, type WorldContext } from './context.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Attachment, Comment, Ticket } from './work-types.js';

type Text = readonly [title: string, description: string, kind: Ticket['kind'], label: string];

const texts: readonly Text[] = [
  [
    'VPN drops every thirty minutes',
    'The client reconnects by itself, but calls are cut.',
    'incident',
    'vpn',
  ],
  ['New laptop for a colleague', 'Starts on the first of next month.', 'request', 'hardware'],
  ['Printer on floor two is jammed', 'Paper tray two.', 'incident', 'printer'],
  ['Access to the spectra database', 'Read access for the chemistry group.', 'request', 'access'],
  [
    'Mail with attachment does not arrive',
    'The customer says that it is 30 MB.',
    'incident',
    'mail',
  ],
  ['Disk of file01 is nearly full', 'Four per cent are left.', 'problem', 'storage'],
  ['Update the wiki', 'Confluence 8.5.3 has known vulnerabilities.', 'change', 'patching'],
  ['Second monitor', 'For the new desk.', 'request', 'hardware'],
  ['Meeting room screen stays black', 'Room Rembrandt.', 'incident', 'av'],
  ['Calibration software crashes at start', 'Since the last update.', 'incident', 'lab'],
  ['Replace the certificate of shop01', 'It expires in three weeks.', 'change', 'certificate'],
  ['Phone does not enrol', 'The profile cannot be installed.', 'incident', 'mobile'],
];

const ordinaryTickets = 34;
/** Between the numbers of a ticket and of its copy. */
const copyDistance = 100_000;

function textOf(number: number): Text {
  const text = texts[(number - 1) % texts.length];
  if (text === undefined) throw new RangeError(`ticket ${number} has no text`);
  return text;
}

function ordinary(context: WorldContext, number: number): Ticket {
  const random = new Random(context.seed, 'ticket', number);
  const [title, description, kind, label] = textOf(number);
  const reporter = random.int(1, 38);
  const created = context.at(
    -random.int(2, 14),
    `${random.int(6, 17)}:${random.int(10, 59)}:${random.int(10, 59)}`,
  );
  const status = random.pick([
    'open',
    'in_progress',
    'on_hold',
    'resolved',
    'closed',
    'closed',
  ] as const);
  const isDone = status === 'resolved' || status === 'closed';
  const changed = created + random.int(1, 20) * 3_600_000;
  return {
    key: keyOf('tkt', number),
    number: 4_100 + number,
    project: kind === 'change' ? 'OPS' : 'ITS',
    kind,
    title,
    description,
    status,
    priority: random.pick(['low', 'medium', 'medium', 'high'] as const),
    reporter: keyOf('emp', reporter),
    assignee: status === 'open' ? null : keyOf('emp', random.pick([14, 15, 16, 17])),
    labels: [label],
    device: kind === 'incident' ? keyOf('dev', reporter) : null,
    incident: null,
    ...stamp('created', created),
    ...stamp('changed', changed),
    ...maybeStamp('due', created + 10 * 86_400_000),
    ...maybeStamp('resolved', isDone ? changed : null),
  };
}

/** The report of the mail, then the ticket of the incident. */
function* storyTickets(context: WorldContext): Generator<Ticket> {
  const reported = context.at(story.day, story.mailReported);
  yield {
    key: 'tkt-0035',
    number: 4_135,
    project: 'ITS',
    kind: 'incident',
    title: 'Strange mail about customs documents',
    description: `I got "${story.subject}". I have not opened anything. Is it real?`,
    status: 'resolved',
    priority: 'medium',
    reporter: keyOf('emp', story.reporter),
    assignee: keyOf('emp', story.serviceDesk),
    labels: ['phishing'],
    device: null,
    incident: story.incident,
    ...stamp('created', reported),
    ...stamp('changed', reported + 120_000),
    ...maybeStamp('due', null),
    ...maybeStamp('resolved', reported + 120_000),
  };
  const opened = context.at(story.day, story.ticketOpened);
  yield {
    key: story.ticket,
    number: 4_136,
    project: 'SEC',
    kind: 'incident',
    title: 'Incident 1208: account and workstation of Pieter Jansen compromised',
    description:
      'Isolate AP-UTR-L0019, disable pieter.jansen, end all sessions, replace the access key of build-deploy, block the indicators.',
    status: 'in_progress',
    priority: 'critical',
    reporter: keyOf('emp', story.analyst),
    assignee: keyOf('emp', story.responder),
    labels: ['incident', 'phishing', 'cloud'],
    device: story.device,
    incident: story.incident,
    ...stamp('created', opened),
    ...stamp('changed', context.at(story.day, '10:58:00')),
    ...maybeStamp('due', opened + 86_400_000),
    ...maybeStamp('resolved', null),
  };
}

export function* makeTickets(context: WorldContext): Generator<Ticket> {
  for (let number = 1; number <= ordinaryTickets; number++) yield ordinary(context, number);
  yield* storyTickets(context);
  for (let copy = 1; copy < context.scale; copy++)
    for (let number = 1; number <= ordinaryTickets; number++)
      yield ordinary(context, copy * copyDistance + number);
}

const remarks = [
  'I am looking into it.',
  'Please restart and try again.',
  'That helped, thank you.',
  'Ordered, it should arrive on Thursday.',
  'Could you send a screenshot?',
];

const storyComments: readonly (readonly [
  ticket: string,
  time: string,
  author: number,
  text: string,
])[] = [
  [
    'tkt-0035',
    '10:36:00',
    story.serviceDesk,
    'Thank you for asking. It is not real, please delete it. I have told the security team.',
  ],
  [story.ticket, '10:41:30', story.analyst, 'Indicators and the timeline are attached.'],
  [
    story.ticket,
    '10:58:00',
    story.responder,
    'Measures are approved by Noor El Amrani. See the channel incident-1208.',
  ],
];

export function* makeComments(context: WorldContext): Generator<Comment> {
  let number = 0;
  for (const ticket of makeTickets(context)) {
    const random = new Random(context.seed, 'comments', ticket.key);
    const own = storyComments.filter(([key]) => key === ticket.key);
    for (const [, time, author, text] of own)
      yield {
        key: keyOf('cmt', ++number),
        ticket: ticket.key,
        author: keyOf('emp', author),
        text,
        is_internal: ticket.key === story.ticket,
        ...stamp('created', context.at(story.day, time)),
      };
    if (own.length > 0 || ticket.assignee === null) continue;
    for (let index = 0; index < random.int(1, 3); index++)
      yield {
        key: keyOf('cmt', ++number),
        ticket: ticket.key,
        author: index % 2 === 0 ? ticket.assignee : ticket.reporter,
        text: random.pick(remarks),
        is_internal: false,
        ...stamp('created', ticket.created_ms + (index + 1) * 900_000),
      };
  }
}

export function* makeAttachments(context: WorldContext): Generator<Attachment> {
  const files = [
    [
      'tkt-0035',
      story.reporter,
      'mail-headers.txt',
      'text/plain',
      `From: ${story.sender}\nSubject: ${story.subject}\nReceived: from ${story.senderIp}\n`,
      story.mailReported,
    ],
    [
      story.ticket,
      story.analyst,
      'indicators.csv',
      'text/csv',
      `kind,value\nipv4,${story.attackerIp}\nipv4,${story.controlIp}\ndomain,${story.loginHost}\nsha256,${story.archiveHash}\n`,
      '10:41:20',
    ],
    [
      story.ticket,
      story.analyst,
      'timeline.txt',
      'text/plain',
      `${story.delivered} mail delivered\n${story.signIn} logon from ${story.attackerIp}\n${story.shellStarted} script on AP-UTR-L0019\n${story.beaconStarted} connection to ${story.controlIp}\n${story.cloudKeyUsed} access key used\n`,
      '10:41:25',
    ],
  ] as const;
  for (const [index, [ticket, author, name, type, content, time]] of files.entries())
    yield {
      key: keyOf('att', index + 1),
      ticket,
      author: keyOf('emp', author),
      file_name: name,
      content_type: type,
      size: Buffer.byteLength(content),
      content,
      ...stamp('created', context.at(story.day, time)),
    };
}
