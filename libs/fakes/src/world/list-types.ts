import type {
  Attachment,
  Comment,
  Conversation,
  DetectionRule,
  Indicator,
  Mail,
  MailThreat,
  Message,
  OnCall,
  Policy,
  Ticket,
} from './work-types.js';
import type {
  Alert,
  CloudAccount,
  CloudFinding,
  CloudResource,
  CodeFinding,
  Device,
  Event,
  Finding,
  Group,
  Incident,
  NetworkFlow,
  Person,
  Product,
  Repository,
  RiskEvent,
  Scan,
  Vulnerability,
} from './types.js';

/** The lists of a world, by name. Each is made at its first use. */
export type WorldLists = {
  people: Person;
  groups: Group;
  devices: Device;
  applications: Product;
  operating_systems: Product;
  vulnerabilities: Vulnerability;
  findings: Finding;
  scans: Scan;
  incidents: Incident;
  alerts: Alert;
  risk_events: RiskEvent;
  cloud_accounts: CloudAccount;
  cloud_resources: CloudResource;
  cloud_findings: CloudFinding;
  network_flows: NetworkFlow;
  events: Event;
  repositories: Repository;
  code_findings: CodeFinding;
  mails: Mail;
  mail_threats: MailThreat;
  conversations: Conversation;
  messages: Message;
  tickets: Ticket;
  comments: Comment;
  attachments: Attachment;
  indicators: Indicator;
  detection_rules: DetectionRule;
  policies: Policy;
  on_call: OnCall;
};
