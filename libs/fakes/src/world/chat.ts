import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Conversation, Message } from './work-types.js';

type Row = readonly [
  name: string | null,
  kind: Conversation['kind'],
  topic: string,
  members: readonly number[],
];

const everybody = Array.from({ length: 38 }, (_, index) => index + 1);

const rows: readonly Row[] = [
  ['general', 'channel', 'News for everybody', everybody],
  ['it-help', 'channel', 'Questions to the service desk', everybody],
  ['engineering', 'channel', 'Software and firmware', [3, 18, 19, 20, 21, 22, 23, 24]],
  ['security', 'private_channel', 'Information security', [5, 11, 12, 13]],
  ['releases', 'channel', 'What is deployed', [18, 19, 20, 21, 22, 24]],
  ['research', 'channel', 'Optics and chemistry', [25, 26, 27, 28]],
  [null, 'direct', '', [19, 20]],
  [null, 'group', '', [2, 7, 8]],
  ['incident-1208', 'private_channel', 'Compromised build engineer', [5, 6, 11, 12, 13, 14, 17]],
];

/** The conversation about the attack, in its order. */
const incidentMessages: readonly (readonly [time: string, author: number, text: string])[] = [
  [
    story.chatOpened,
    story.responder,
    'Incident 1208: account and laptop of Pieter Jansen are compromised. I lead, please write everything here.',
  ],
  [
    '10:45:40',
    story.analyst,
    'Mail came at 08:52 to Pieter, Marta Silva and Carla Nunes. Marta reported it, Carla has not opened it.',
  ],
  [
    '10:47:05',
    story.analyst,
    'Logon from 203.0.113.77 at 09:04, after three refused second-factor requests.',
  ],
  [
    '10:48:30',
    13,
    'AP-UTR-L0019: WinRAR 6.22 started a script at 09:18 (CVE-2023-38831). It still connects to 198.51.100.23 every ten minutes.',
  ],
  ['10:50:12', 17, 'The firewall has one host of ours that connects to that address: the laptop.'],
  [
    '10:52:00',
    13,
    'The access key of build-deploy was in a credentials file on the laptop. It read 412 objects of alderpoint-build-artifacts from 203.0.113.77.',
  ],
  [
    '10:54:45',
    story.responder,
    'To do: isolate AP-UTR-L0019, disable Pieter and end all sessions, replace the key, block the four indicators.',
  ],
  ['10:56:20', 5, 'Approved. Please tell Sofia before the build stops.'],
];

const chatter = [
  'Good morning!',
  'The build is green again.',
  'Who has the key of the optics lab?',
  'Lunch at half past twelve?',
  'The VPN drops every thirty minutes for me.',
  'Release 4.18 is out.',
  'Thanks, that worked.',
  'Can somebody review my change?',
  'Printer on floor two is out of paper.',
  'Calibration is done, results are in the share.',
];

const messagesPerConversation = 12;

export function* makeMessages(context: WorldContext): Generator<Message> {
  let number = 0;
  for (const [index, [, , , members]] of rows.entries()) {
    const conversation = keyOf('con', index + 1);
    if (conversation === story.conversation) continue;
    const random = new Random(context.seed, 'chat', index);
    const times = Array.from({ length: messagesPerConversation }, () =>
      context.at(
        -random.int(1, 13),
        `${random.int(7, 17)}:${random.int(10, 59)}:${random.int(10, 59)}`,
      ),
    ).sort((one, other) => one - other);
    const first = keyOf('msg', number + 1);
    for (const [place, sent] of times.entries()) {
      number++;
      yield {
        key: keyOf('msg', number),
        conversation,
        author: keyOf('emp', random.pick(members)),
        text: random.pick(chatter),
        reply_to: place > 0 && place % 4 === 0 ? first : null,
        incident: null,
        ...stamp('sent', sent),
      };
    }
  }
  for (const [time, author, text] of incidentMessages) {
    number++;
    yield {
      key: keyOf('msg', number),
      conversation: story.conversation,
      author: keyOf('emp', author),
      text,
      reply_to: null,
      incident: story.incident,
      ...stamp('sent', context.at(story.day, time)),
    };
  }
}

export function* makeConversations(context: WorldContext): Generator<Conversation> {
  const messages = [...makeMessages(context)];
  for (const [index, [name, kind, topic, members]] of rows.entries()) {
    const key = keyOf('con', index + 1);
    const isStory = key === story.conversation;
    const sent = messages.filter((one) => one.conversation === key).map((one) => one.sent_ms);
    yield {
      key,
      name,
      kind,
      topic,
      members: members.map((member) => keyOf('emp', member)),
      creator: keyOf('emp', isStory ? story.responder : (members[0] ?? 1)),
      ...stamp(
        'created',
        isStory ? context.at(story.day, story.chatOpened) : context.daysAgo(500 + index),
      ),
      ...stamp('last_message', Math.max(...sent)),
    };
  }
}
