import type { MaybeStamp, Stamp } from './context.js';
import type { Device, Severity } from './types.js';

export type MailFile = { name: string; content_type: string; size: number; sha256: string };

export type Mail = {
  key: string;
  message_id: string;
  direction: 'inbound' | 'outbound' | 'internal';
  from: string;
  from_name: string;
  to: readonly string[];
  subject: string;
  preview: string;
  size: number;
  sender_ip: string;
  spf: 'pass' | 'fail' | 'none';
  dkim: 'pass' | 'fail' | 'none';
  dmarc: 'pass' | 'fail' | 'none';
  urls: readonly string[];
  files: readonly MailFile[];
  folder: 'inbox' | 'junk' | 'quarantine' | 'sent';
  incident: string | null;
} & Stamp<'received'>;

export type MailThreat = {
  key: string;
  mail: string;
  person: string;
  kind: 'phishing' | 'malware' | 'impostor' | 'spam';
  title: string;
  severity: Severity;
  action: 'delivered' | 'quarantined' | 'junked';
  status: 'new' | 'in_progress' | 'resolved';
  indicator: string | null;
  incident: string | null;
} & Stamp<'detected'>;

export type Conversation = {
  key: string;
  name: string | null;
  kind: 'channel' | 'private_channel' | 'direct' | 'group';
  topic: string;
  members: readonly string[];
  creator: string;
} & Stamp<'created'> &
  Stamp<'last_message'>;

export type Message = {
  key: string;
  conversation: string;
  author: string;
  text: string;
  reply_to: string | null;
  incident: string | null;
} & Stamp<'sent'>;

export type Ticket = {
  key: string;
  number: number;
  project: string;
  kind: 'incident' | 'request' | 'problem' | 'change';
  title: string;
  description: string;
  status: 'open' | 'in_progress' | 'on_hold' | 'resolved' | 'closed';
  priority: 'low' | 'medium' | 'high' | 'critical';
  reporter: string;
  assignee: string | null;
  labels: readonly string[];
  device: string | null;
  incident: string | null;
} & Stamp<'created'> &
  Stamp<'changed'> &
  MaybeStamp<'due'> &
  MaybeStamp<'resolved'>;

export type Comment = {
  key: string;
  ticket: string;
  author: string;
  text: string;
  is_internal: boolean;
} & Stamp<'created'>;

export type Attachment = {
  key: string;
  ticket: string;
  author: string;
  file_name: string;
  content_type: string;
  size: number;
  /** The file itself: all of them are text. */
  content: string;
} & Stamp<'created'>;

export type Indicator = {
  key: string;
  kind: 'ipv4' | 'domain' | 'url' | 'sha256' | 'email';
  value: string;
  severity: Severity;
  action: 'detect' | 'prevent';
  description: string;
  source: string;
  author: string;
  incident: string | null;
} & Stamp<'created'> &
  MaybeStamp<'expires'>;

export type DetectionRule = {
  key: string;
  name: string;
  description: string;
  platform: 'windows' | 'macos' | 'linux';
  severity: Severity;
  is_enabled: boolean;
  pattern: string;
  author: string;
} & Stamp<'created'> &
  Stamp<'changed'>;

export type Policy = {
  key: string;
  name: string;
  description: string;
  /** The field of a device that must be true. */
  checks: 'is_encrypted' | 'is_managed' | 'is_compliant';
  platforms: readonly Device['os_family'][];
} & Stamp<'created'>;

export type OnCall = {
  key: string;
  policy: string;
  policy_name: string;
  level: number;
  person: string;
} & Stamp<'starts'> &
  Stamp<'ends'>;
