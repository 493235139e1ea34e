import { isObject, type JsonObject, type Report, show } from './report.js';

type Path = readonly (string | number)[];
type Lint = (record: JsonObject, report: Report) => void;

function objectsAt(record: JsonObject, name: string): [JsonObject, Path][] {
  const value = record[name];
  if (isObject(value)) return [[value, [name]]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index): [JsonObject, Path][] =>
    isObject(item) ? [[item, [name, index]]] : [],
  );
}

const cvePattern = /^CVE-\d{4}-\d{4,}$/;
const maxCvss = 10;

/** A vector says its version itself from version 3 on. */
function lintVector(
  { version, vector_string: vector }: JsonObject,
  path: Path,
  report: Report,
): void {
  if (typeof vector !== 'string' || typeof version !== 'string' || version < '3') return;
  const prefix = `CVSS:${version}/`;
  if (!vector.startsWith(prefix))
    report.warning(
      [...path, 'vector_string'],
      'cvss',
      `the vector of version ${version} must begin with ${prefix}`,
    );
}

/** Ids of MITRE ATT&CK and ATLAS. Others, such as those of a vendor, belong to the name. */
const attackIds = {
  tactic: /^(?:AML\.)?TA\d{4}$/,
  technique: /^(?:AML\.)?T\d{4}(?:\.\d{3})?$/,
  sub_technique: /^(?:AML\.)?T\d{4}\.\d{3}$/,
};

function lintAttacks(owner: JsonObject, path: Path, report: Report): void {
  for (const [attack, at] of objectsAt(owner, 'attacks'))
    for (const [name, pattern] of Object.entries(attackIds))
      for (const [one, inner] of objectsAt(attack, name)) {
        const { uid } = one;
        if (typeof uid === 'string' && !pattern.test(uid))
          report.warning(
            [...path, ...at, ...inner, 'uid'],
            'attack',
            `${show(uid)} is not the id of a ${name} of MITRE ATT&CK`,
          );
      }
}

function lintVulnerabilities(record: JsonObject, report: Report): void {
  for (const [vulnerability, path] of objectsAt(record, 'vulnerabilities')) {
    for (const [cve] of objectsAt(vulnerability, 'cve')) {
      const { uid } = cve;
      if (uid !== undefined && !(typeof uid === 'string' && cvePattern.test(uid)))
        report.error(
          [...path, 'cve', 'uid'],
          'cve',
          `${show(uid)} is not one CVE id: write an entry of vulnerabilities for each`,
        );
      for (const [cvss, at] of objectsAt(cve, 'cvss')) {
        lintVector(cvss, [...path, 'cve', ...at], report);
        const score = cvss['base_score'];
        if (typeof score === 'number' && (score < 0 || score > maxCvss))
          report.error(
            [...path, 'cve', ...at, 'base_score'],
            'cvss',
            `${score} is not from 0 to 10`,
          );
      }
    }
    for (const [one, at] of objectsAt(vulnerability, 'affected_packages'))
      for (const name of ['name', 'version'])
        if (one[name] === undefined)
          report.error([...path, ...at, name], 'cve', `${name} of the affected package is missing`);
  }
}

/** Findings have a life: a new one is Created, a closed one is Resolved. */
function lintDetection(record: JsonObject, report: Report): void {
  const info = record['finding_info'];
  if (isObject(info)) lintAttacks(info, ['finding_info'], report);
  if (isObject(info) && info['title'] !== undefined && info['title'] === info['uid'])
    report.error(
      ['finding_info', 'title'],
      'finding',
      'the title is the uid: write what was found',
    );
  const words = ['Success', 'Failure'];
  if (words.includes(String(record['status'])))
    report.error(['status'], 'finding', 'Success and Failure are not states of a finding');
  if (record['is_alert'] === true && record['activity_id'] !== 1)
    report.error(['is_alert'], 'finding', 'only a new finding (activity 1) is an alert');
  if (record['activity_id'] === 3 && record['status_id'] !== undefined && record['status_id'] !== 4)
    report.error(['status_id'], 'finding', 'a closed finding has status 4 (Resolved)');
}

const lintSecurity: Lint = (record, report) => {
  if (record['state_id'] === undefined)
    report.error(['state_id'], 'finding', 'state_id is missing: it holds the state of the finding');
  lintVulnerabilities(record, report);
};

const lintCompliance: Lint = (record, report) => {
  const compliance = record['compliance'];
  if (!isObject(compliance)) return;
  if (compliance['control'] === undefined && compliance['requirements'] === undefined)
    report.error(['compliance'], 'compliance', 'control or requirements must say what was checked');
  const severity = record['severity_id'];
  if (compliance['status_id'] === 1 && severity !== 1)
    report.error(
      ['severity_id'],
      'compliance',
      `a passed check is 1 (Informational), not ${show(severity)}`,
    );
  if (record['status'] === 'Fail' || record['status'] === 'Pass')
    report.error(
      ['status'],
      'compliance',
      'status is the state of the work: Pass and Fail belong to compliance',
    );
};

const lintInventory: Lint = (record, report) => {
  const device = record['device'];
  if (isObject(device) && device['uid'] === undefined)
    report.error(['device', 'uid'], 'device', 'uid is missing: it is the id that reads the device');
};

/** An entity is a user or a group, and has the id of it. */
const lintEntity: Lint = (record, report) => {
  const entity = record['entity'];
  if (!isObject(entity)) return;
  const kinds: readonly (readonly [number, string, string])[] = [
    [2, 'user', 'group'],
    [3, 'group', 'user'],
  ];
  for (const [type, own, other] of kinds) {
    if (entity['type_id'] !== type) continue;
    const object = entity[own];
    if (!isObject(object)) {
      report.error(['entity', own], 'entity', `an entity of type ${type} has a ${own}`);
      continue;
    }
    if (entity[other] !== undefined)
      report.error(['entity', other], 'entity', `an entity of type ${type} has no ${other}`);
    if (entity['uid'] !== undefined && entity['uid'] !== object['uid'])
      report.error(['entity', 'uid'], 'entity', `uid is not that of entity.${own}`);
  }
};

const lintNetwork: Lint = (record, report) => {
  const [start, end, duration] = ['start_time', 'end_time', 'duration'].map((name) => record[name]);
  if (typeof start === 'number' && typeof end === 'number') {
    if (end < start) report.error(['end_time'], 'network', 'end_time is before start_time');
    else if (typeof duration === 'number' && duration !== end - start)
      report.error(
        ['duration'],
        'network',
        `duration must be end_time − start_time: ${end - start} ms`,
      );
  }
  const traffic = record['traffic'];
  if (!isObject(traffic)) return;
  for (const [name, value] of Object.entries(traffic))
    if (typeof value === 'number' && value < 0)
      report.error(['traffic', name], 'network', `${value} is below 0`);
  const { bytes, bytes_in: received, bytes_out: sent } = traffic;
  if (
    typeof bytes === 'number' &&
    typeof received === 'number' &&
    typeof sent === 'number' &&
    bytes !== received + sent
  )
    report.error(
      ['traffic', 'bytes'],
      'network',
      `bytes must be bytes_in + bytes_out: ${received + sent}`,
    );
};

const lintApi: Lint = (record, report) => {
  const api = record['api'];
  if (!isObject(api) || api['operation'] === undefined)
    report.error(['api', 'operation'], 'audit', 'operation is missing: it names what was called');
};

const lintIncident: Lint = (record, report) => {
  if (record['status_id'] === undefined)
    report.error(['status_id'], 'finding', 'status_id is missing: an incident has a state');
};

/** Rules of single classes, by class uid. */
export const classLints: ReadonlyMap<number, Lint> = new Map<number, Lint>([
  [2001, lintSecurity],
  [2002, lintVulnerabilities],
  [2003, lintCompliance],
  [
    2004,
    (record, report) => {
      lintDetection(record, report);
      lintVulnerabilities(record, report);
    },
  ],
  [2005, lintIncident],
  [2007, lintVulnerabilities],
  [3004, lintEntity],
  [4001, lintNetwork],
  [5001, lintInventory],
  [6003, lintApi],
]);
