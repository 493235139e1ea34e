import type { MaybeStamp, Stamp } from './context.js';

export type Severity = 'informational' | 'low' | 'medium' | 'high' | 'critical';
export type Level = 'none' | 'low' | 'medium' | 'high';

export type Person = {
  key: string;
  number: number;
  employee_number: string;
  login: string;
  mail: string;
  first_name: string;
  last_name: string;
  display_name: string;
  title: string;
  department: string;
  manager: string | null;
  phone: string;
  mobile_phone: string;
  site: string;
  city: string;
  country: string;
  country_code: string;
  timezone: string;
  language: string;
  status: 'active' | 'staged' | 'suspended' | 'locked' | 'deprovisioned';
  is_admin: boolean;
  mfa: 'enabled' | 'not_enabled';
  risk_level: Level;
  device: string | null;
  directory_id: string;
} & Stamp<'created'> &
  Stamp<'changed'> &
  MaybeStamp<'last_login'> &
  Stamp<'password_changed'>;

export type Group = {
  key: string;
  name: string;
  description: string;
  mail: string;
  kind: 'department' | 'security' | 'distribution';
  members: readonly string[];
  owner: string;
  directory_id: string;
} & Stamp<'created'> &
  Stamp<'changed'>;

export type Installation = { application: string; name: string; vendor: string; version: string };

export type CloudPlace = {
  account: string;
  provider: CloudAccount['provider'];
  instance_id: string;
  instance_type: string;
  region: string;
  zone: string;
  vpc_id: string;
  subnet_id: string;
  interface_id: string;
  image_id: string;
};

export type Device = {
  key: string;
  number: number;
  hostname: string;
  fqdn: string;
  domain: string;
  kind: 'laptop' | 'server' | 'phone' | 'firewall';
  role: string;
  manufacturer: string;
  model: string;
  serial: string;
  uuid: string;
  mac: string;
  ip: string;
  external_ip: string;
  imei: string | null;
  os: string;
  os_family: 'windows' | 'macos' | 'linux' | 'ios' | 'android' | 'panos';
  os_name: string;
  os_version: string;
  architecture: 'x86_64' | 'arm64';
  cpu_count: number;
  memory_mb: number;
  disk_gb: number;
  owner: string | null;
  site: string;
  city: string;
  group: string;
  tags: readonly string[];
  installed: readonly Installation[];
  edr_version: string | null;
  scanner_version: string | null;
  mdm_version: string | null;
  status: 'online' | 'offline';
  isolation: 'none';
  is_managed: boolean;
  is_compliant: boolean;
  is_encrypted: boolean;
  is_critical: boolean;
  risk_score: number;
  posture_score: number;
  cloud: CloudPlace | null;
} & Stamp<'first_seen'> &
  Stamp<'last_seen'> &
  Stamp<'last_boot'>;

export type Product = {
  key: string;
  name: string;
  vendor: string;
  kind:
    | 'browser'
    | 'office'
    | 'communication'
    | 'utility'
    | 'development'
    | 'server'
    | 'library'
    | 'operating_system';
  version: string;
  cpe: string;
  /** The CPE name up to the product, for other versions. */
  cpe_prefix: string;
};

export type Vulnerability = {
  /** The CVE id. */
  key: string;
  title: string;
  description: string;
  severity: Severity;
  cvss_version: string;
  cvss_score: number;
  cvss_vector: string;
  cwe: string | null;
  /** Date of the entry in CISA's catalogue of known exploited vulnerabilities, or null. */
  exploited_since: string | null;
  product: string;
  product_name: string;
  product_vendor: string;
  cpe: string;
  affected_from: string;
  fixed_version: string;
  url: string;
} & Stamp<'published'>;

export type Finding = {
  key: string;
  device: string;
  vulnerability: string;
  product: string;
  installed_version: string;
  fixed_version: string;
  severity: Severity;
  state: 'open' | 'reopened' | 'fixed' | 'suppressed';
  port: number | null;
  scan: string;
} & Stamp<'first_seen'> &
  Stamp<'last_seen'> &
  MaybeStamp<'fixed'>;

export type Scan = {
  key: string;
  name: string;
  kind: 'agent' | 'network';
  state: 'completed' | 'running';
  scanned_devices: number;
} & Stamp<'started'> &
  MaybeStamp<'ended'>;

export type Incident = {
  key: string;
  number: number;
  title: string;
  description: string;
  severity: Severity;
  status: 'new' | 'in_progress' | 'resolved' | 'closed';
  verdict: 'true_positive' | 'false_positive' | null;
  assignee: string | null;
  people: readonly string[];
  devices: readonly string[];
  alerts: readonly string[];
  ticket: string | null;
} & Stamp<'created'> &
  Stamp<'changed'> &
  MaybeStamp<'closed'>;

export type Alert = {
  key: string;
  title: string;
  description: string;
  /** The product that raised it. */
  source: 'edr' | 'identity' | 'mail' | 'network' | 'cloud' | 'siem';
  severity: Severity;
  /** 1–100, within the usual bands: critical from 90, high from 70, medium from 50, low from 20. */
  score: number;
  status: 'new' | 'in_progress' | 'closed';
  tactic_id: string;
  tactic: string;
  technique_id: string;
  technique: string;
  person: string | null;
  device: string | null;
  incident: string | null;
  indicator: string | null;
  process: Process | null;
} & Stamp<'created'> &
  Stamp<'changed'>;

export type Process = {
  name: string;
  path: string;
  command_line: string;
  pid: number;
  sha256: string;
  parent_name: string;
  parent_pid: number;
};

export type RiskEvent = {
  key: string;
  person: string;
  kind: 'unfamiliar_location' | 'mfa_fatigue' | 'leaked_credentials' | 'anonymous_address';
  level: Exclude<Level, 'none'>;
  state: 'at_risk' | 'remediated' | 'dismissed';
  ip: string;
  city: string;
  country_code: string;
  incident: string | null;
} & Stamp<'detected'>;

export type CloudAccount = {
  key: string;
  provider: 'aws' | 'azure' | 'gcp';
  account_id: string;
  name: string;
  environment: 'production' | 'development' | 'research';
  region: string;
  owner: string;
};

export type CloudResource = {
  key: string;
  account: string;
  kind: 'instance' | 'bucket' | 'role' | 'user' | 'database' | 'network' | 'function';
  name: string;
  resource_id: string;
  region: string;
  device: string | null;
  is_public: boolean;
  is_encrypted: boolean;
  tags: Readonly<Record<string, string>>;
} & Stamp<'created'>;

export type CloudFinding = {
  key: string;
  kind: 'misconfiguration' | 'threat';
  account: string;
  resource: string;
  rule_id: string;
  title: string;
  description: string;
  remediation: string;
  severity: Severity;
  /** Result of the rule of a misconfiguration. */
  result: 'pass' | 'fail' | null;
  status: 'new' | 'notified' | 'suppressed' | 'resolved';
  standard: string | null;
  control: string | null;
  ip: string | null;
  incident: string | null;
} & Stamp<'first_seen'> &
  Stamp<'last_seen'>;

export type NetworkFlow = {
  key: string;
  device: string;
  direction: 'inbound' | 'outbound' | 'internal';
  source_ip: string;
  source_port: number;
  destination_ip: string;
  destination_port: number;
  protocol: 6 | 17;
  bytes_out: number;
  bytes_in: number;
  packets_out: number;
  packets_in: number;
  action: 'accept' | 'reject';
  sensor: string;
  interface_id: string;
  incident: string | null;
} & Stamp<'started'> &
  Stamp<'ended'>;

export type Event = {
  key: string;
  kind: 'logon' | 'process' | 'dns' | 'web' | 'file' | 'mail' | 'cloud_api' | 'account_change';
  source: string;
  severity: Severity;
  outcome: 'success' | 'failure';
  action: string;
  message: string;
  person: string | null;
  device: string | null;
  ip: string;
  /** The domain name, file, process or cloud API that the event is about. */
  object: string;
  incident: string | null;
} & Stamp<'occurred'>;

export type Repository = {
  key: string;
  name: string;
  full_name: string;
  description: string;
  language: string;
  default_branch: string;
  visibility: 'private' | 'internal';
  owner: string;
  criticality: 'low' | 'medium' | 'high';
} & Stamp<'created'> &
  Stamp<'pushed'>;

export type CodeFinding = {
  key: string;
  number: number;
  repository: string;
  kind: 'code' | 'dependency' | 'secret';
  rule: string;
  title: string;
  severity: Severity;
  state: 'open' | 'fixed' | 'dismissed';
  path: string;
  line: number | null;
  cwe: string | null;
  vulnerability: string | null;
  package: string | null;
  package_version: string | null;
  fixed_version: string | null;
} & Stamp<'created'> &
  Stamp<'changed'>;
