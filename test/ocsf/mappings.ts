/**
 * Mapping documents over the lists of the demonstration company that use the shared templates as a provider's mapping would.
 * `now` is the time of collection.
 */
const head = `
    root.metadata = {"version": $version, "vendor": "Example", "product": "Scanner", "uid": this.key}.apply("ocsf.metadata")
    root.time = @now
    root = root.merge($class.apply("ocsf.classify"))
`;

function document(classUid: number, activity: number, version: string, body: string): string {
  const template = `
    let version = "${version}"
    let class = {"class_uid": ${classUid}, "activity_id": ${activity}}${head}${body}
    root.observables = root.apply("ocsf.observables")
    root = root.apply("ocsf.present")`;
  return `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |${template}\n`;
}

export const mappings = {
  devices: document(
    5001,
    2,
    '1.3.0',
    `
    root = root.merge(1.apply("ocsf.severity_of_id"))
    root.device = {
      "uid": this.uuid, "hostname": this.hostname, "type": this.kind, "ip": this.ip, "mac": this.mac,
      "domain": this.domain, "os": {"name": this.os_name, "version": this.os_version}, "serial": this.serial,
      "first_seen": this.first_seen_at, "last_seen": this.last_seen_ms, "is_managed": this.is_managed,
      "is_compliant": this.is_compliant, "risk_score": this.risk_score, "groups": [this.group]
    }.apply("ocsf.device")`,
  ),
  people: document(
    3004,
    2,
    '1.3.0',
    `
    root = root.merge(1.apply("ocsf.severity_of_id"))
    root.entity.type_id = 2
    root.entity.uid = this.directory_id
    root.entity.name = this.login
    root.entity.user = {
      "uid": this.directory_id, "uid_alt": this.employee_number, "login": this.login, "full_name": this.display_name,
      "mail": this.mail, "type": if this.is_admin { "admin" } else { "user" }
    }.apply("ocsf.user")`,
  ),
  alerts: document(
    2004,
    1,
    '1.8.0',
    `
    root = root.merge(this.score.apply("ocsf.severity_crowdstrike"))
    root = root.merge(this.status.apply("ocsf.finding_status"))
    root.finding_info = {
      "uid": this.key, "title": this.title, "description": this.description, "created": this.created_at,
      "modified": this.changed_ms, "types": [this.source], "attacks": [this]
    }.apply("ocsf.finding_info")
    root.evidences = if this.process != null {
      [{"process": this.process.merge({
        "parent": {"name": this.process.parent_name, "pid": this.process.parent_pid}
      }).apply("ocsf.process")}]
    }`,
  ),
  groups: document(
    3004,
    2,
    '1.3.0',
    `
    root = root.merge(1.apply("ocsf.severity_of_id"))
    root.entity.type_id = 3
    root.entity.uid = this.directory_id
    root.entity.name = this.name
    root.entity.group = {
      "uid": this.directory_id, "name": this.name, "description": this.description, "type": this.kind
    }.apply("ocsf.group")`,
  ),
  events: document(
    6003,
    99,
    '1.3.0',
    `
    let kind = this.kind
    root.class_name = "API Activity"
    root.activity_name = $kind
    root = root.merge(this.severity.apply("ocsf.severity"))
    root = root.merge(this.outcome.apply("ocsf.outcome"))
    root.time = this.occurred_at.apply("ocsf.time")
    root.message = this.message
    root.actor.user = {"uid": this.person}.apply("ocsf.user")
    root.src_endpoint = {"ip": this.ip}.apply("ocsf.endpoint")
    root.api.operation = this.action`,
  ),
  vulnerabilities: document(
    2002,
    1,
    '1.8.0',
    `
    root = root.merge(this.cvss_score.apply("ocsf.severity_cvss"))
    root.finding_info.uid = this.key
    root.finding_info.title = this.title
    root.vulnerabilities = [{
      "cve": this.key, "title": this.title, "severity": this.severity, "cvss_score": this.cvss_score,
      "cvss_version": this.cvss_version, "cvss_vector": this.cvss_vector, "references": [this.url]
    }.apply("ocsf.vulnerability")]`,
  ),
  network_flows: document(
    4001,
    6,
    '1.8.0',
    `
    root = root.merge("informational".apply("ocsf.severity"))
    root.start_time = this.started_at.apply("ocsf.time")
    root.end_time = this.ended_at.apply("ocsf.time")
    root.duration = root.end_time - root.start_time
    root.src_endpoint = {"ip": this.source_ip, "port": this.source_port}.apply("ocsf.endpoint")
    root.dst_endpoint = {"ip": this.destination_ip, "port": this.destination_port.string()}.apply("ocsf.endpoint")
    root.traffic.bytes = this.bytes_in + this.bytes_out
    root.traffic.bytes_in = this.bytes_in
    root.traffic.bytes_out = this.bytes_out`,
  ),
} as const;
