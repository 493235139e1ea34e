import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { addressOfPerson } from './people.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Severity } from './types.js';
import type { Mail, MailThreat } from './work-types.js';

const ordinaryMails = 60;

const subjects = [
  'Weekly figures',
  'Notes of the optics meeting',
  'Order confirmation 48213',
  'Calibration certificates',
  'Travel to Toronto',
  'Budget review',
  'Spare parts for the AX-200',
  'Welcome to the team',
];

type Draft = Omit<
  Mail,
  'key' | 'message_id' | 'received_at' | 'received_ms' | 'preview' | 'size'
> & {
  received: number;
};

const passed = { spf: 'pass', dkim: 'pass', dmarc: 'pass' } as const;
const failed = { spf: 'fail', dkim: 'none', dmarc: 'fail' } as const;

function ordinary(context: WorldContext, index: number): Draft {
  const random = new Random(context.seed, 'mail', index);
  const sender = addressOfPerson(random.int(1, 38));
  const recipient = addressOfPerson(random.int(1, 38));
  const direction = random.pick(['inbound', 'outbound', 'internal', 'internal'] as const);
  const customer = {
    mail: `${random.pick(['orders', 'lab', 'jane.doe'])}@customer-labs.example`,
    name: 'Customer Labs',
  };
  const from = direction === 'inbound' ? customer : sender;
  return {
    direction,
    from: from.mail,
    from_name: from.name,
    to: [direction === 'outbound' ? customer.mail : recipient.mail],
    subject: random.pick(subjects),
    sender_ip: direction === 'inbound' ? '198.51.100.60' : '192.0.2.25',
    ...passed,
    urls: [],
    files: [],
    folder: direction === 'outbound' ? 'sent' : 'inbox',
    incident: null,
    received: context.at(
      -random.int(1, 14),
      `${random.int(6, 18)}:${random.int(10, 59)}:${random.int(10, 59)}`,
    ),
  };
}

type ThreatRow = readonly [
  day: number,
  time: string,
  recipient: number,
  kind: MailThreat['kind'],
  subject: string,
  from: string,
  severity: Severity,
  action: MailThreat['action'],
  status: MailThreat['status'],
];

/** Threats of the fortnight; the last three are the attack, one per recipient. */
const threatRows: readonly ThreatRow[] = [
  [
    -12,
    '10:11:00',
    30,
    'spam',
    'Cheap toner for your office',
    'offers@toner-outlet.example',
    'low',
    'junked',
    'resolved',
  ],
  [
    -10,
    '09:40:00',
    8,
    'impostor',
    'Urgent payment',
    'ingrid.vos@alderpoint-mail.example',
    'high',
    'quarantined',
    'resolved',
  ],
  [
    -9,
    '15:02:00',
    33,
    'phishing',
    'Your mailbox is full',
    'support@mailbox-quota.example',
    'medium',
    'quarantined',
    'resolved',
  ],
  [
    -7,
    '08:22:00',
    16,
    'phishing',
    'Password expires today',
    'it@alderpoint-help.example',
    'medium',
    'junked',
    'resolved',
  ],
  [
    -5,
    '11:48:00',
    35,
    'malware',
    'Price list',
    'sales@component-trade.example',
    'high',
    'quarantined',
    'resolved',
  ],
  [
    -3,
    '13:05:00',
    29,
    'spam',
    'Conference tickets',
    'events@expo-news.example',
    'low',
    'junked',
    'resolved',
  ],
  [
    story.day,
    story.delivered,
    story.victim,
    'phishing',
    story.subject,
    story.sender,
    'critical',
    'delivered',
    'in_progress',
  ],
  [
    story.day,
    '08:52:11',
    story.reporter,
    'phishing',
    story.subject,
    story.sender,
    'high',
    'delivered',
    'in_progress',
  ],
  [
    story.day,
    '08:52:13',
    story.otherRecipient,
    'phishing',
    story.subject,
    story.sender,
    'high',
    'delivered',
    'new',
  ],
];

function hostOf(address: string): string {
  return address.slice(address.indexOf('@') + 1);
}

function hostile(context: WorldContext, row: ThreatRow): Draft {
  const [day, time, recipient, kind, subject, from, , action] = row;
  const isStory = day === story.day;
  const random = new Random(context.seed, 'threat', subject);
  return {
    direction: 'inbound',
    from,
    from_name: isStory ? story.senderName : hostOf(from),
    to: [addressOfPerson(recipient).mail],
    subject,
    sender_ip: isStory ? story.senderIp : `198.51.100.${random.int(61, 99)}`,
    ...failed,
    urls: isStory ? [story.loginUrl] : kind === 'phishing' ? [`https://${hostOf(from)}/login`] : [],
    files: isStory
      ? [
          {
            name: story.archive,
            content_type: 'application/vnd.rar',
            size: 48_120,
            sha256: story.archiveHash,
          },
        ]
      : kind === 'malware'
        ? [
            {
              name: 'price-list.xlsm',
              content_type: 'application/vnd.ms-excel.sheet.macroEnabled.12',
              size: 91_002,
              sha256: random.hex(64),
            },
          ]
        : [],
    folder: action === 'delivered' ? 'inbox' : action === 'junked' ? 'junk' : 'quarantine',
    incident: isStory ? story.incident : null,
    received: context.at(day, time),
  };
}

/** Mails by time. Those with a threat have the first keys, so that they stay the same with another start or seed. */
export function* makeMails(context: WorldContext): Generator<Mail> {
  const drafts = [
    ...threatRows.map((row) => hostile(context, row)),
    ...Array.from({ length: ordinaryMails }, (_, index) => ordinary(context, index)),
  ];
  yield* drafts
    .map((draft, index) => toMail(context, draft, index + 1))
    .sort((one, other) => one.received_ms - other.received_ms);
}

function toMail(context: WorldContext, { received, ...draft }: Draft, number: number): Mail {
  const random = new Random(context.seed, 'message id', number);
  return {
    key: keyOf('eml', number),
    message_id: `<${random.hex(24)}@${hostOf(draft.from)}>`,
    ...draft,
    preview: `${draft.subject}. Please find the details below.`,
    size: random.int(2_000, 12_000) + draft.files.reduce((sum, file) => sum + file.size, 0),
    ...stamp('received', received),
  };
}

const kinds = {
  phishing: 'Phishing',
  malware: 'Malware',
  impostor: 'Impostor',
  spam: 'Spam',
} as const;

export function* makeMailThreats(context: WorldContext): Generator<MailThreat> {
  for (const [index, row] of threatRows.entries()) {
    const [day, time, recipient, kind, subject, , severity, action, status] = row;
    const received = context.at(day, time);
    const isStory = day === story.day;
    yield {
      key: keyOf('thr', index + 1),
      // The mail of a threat has its number.
      mail: keyOf('eml', index + 1),
      person: keyOf('emp', recipient),
      kind,
      title: `${kinds[kind]}: ${subject}`,
      severity,
      action,
      status,
      indicator: isStory ? 'ioc-0003' : null,
      incident: isStory ? story.incident : null,
      // The mails of the attack were recognized only when somebody had reported one.
      ...stamp(
        'detected',
        isStory ? context.at(day, '10:33:00') + index * 1_000 : received + 4_000,
      ),
    };
  }
}
