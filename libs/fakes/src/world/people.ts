import { company, keyOf, siteOf } from './company.js';
import { maybeStamp, stamp, type WorldContext } from './context.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Group, Person } from './types.js';

type Row = readonly [
  first: string,
  last: string,
  title: string,
  department: string,
  managerNumber: number | null,
  site: string,
];

/** Everybody's number is the place in this list, from 1. */
const roster: readonly Row[] = [
  ['Ingrid', 'Vos', 'Chief Executive Officer', 'Management', null, 'UTR'],
  ['Rafael', 'Moreira', 'Chief Financial Officer', 'Finance', 1, 'LIS'],
  ['Anneke', 'Bakker', 'Chief Technology Officer', 'Engineering', 1, 'UTR'],
  ['David', 'Chen', 'Chief Operating Officer', 'Operations', 1, 'TOR'],
  ['Noor', 'El Amrani', 'Head of Information Security', 'Security', 3, 'UTR'],
  ['Tomasz', 'Nowak', 'Head of IT', 'IT', 3, 'UTR'],
  ['Marta', 'Silva', 'Accounts Payable Specialist', 'Finance', 2, 'LIS'],
  ['Joao', 'Pereira', 'Financial Controller', 'Finance', 2, 'LIS'],
  ['Beatriz', 'Costa', 'Accountant', 'Finance', 8, 'LIS'],
  ['Emma', 'Tremblay', 'Payroll Specialist', 'Finance', 8, 'TOR'],
  ['Lars', 'Hendriks', 'Security Analyst', 'Security', 5, 'UTR'],
  ['Priya', 'Raman', 'Incident Responder', 'Security', 5, 'TOR'],
  ['Samuel', 'Okafor', 'Security Engineer', 'Security', 5, 'LIS'],
  ['Femke', 'de Wit', 'Service Desk Lead', 'IT', 6, 'UTR'],
  ['Hugo', 'Almeida', 'Systems Administrator', 'IT', 6, 'LIS'],
  ['Olivia', 'Brown', 'Service Desk Agent', 'IT', 14, 'TOR'],
  ['Daan', 'Visser', 'Network Engineer', 'IT', 6, 'UTR'],
  ['Sofia', 'Marques', 'Director of Software', 'Engineering', 3, 'LIS'],
  ['Pieter', 'Jansen', 'Build Engineer', 'Engineering', 18, 'UTR'],
  ['Mei', 'Lin', 'Senior Software Engineer', 'Engineering', 18, 'TOR'],
  ['Tiago', 'Ferreira', 'Software Engineer', 'Engineering', 18, 'LIS'],
  ['Eva', 'Smit', 'Software Engineer', 'Engineering', 18, 'UTR'],
  ['Oscar', 'Lindqvist', 'Firmware Engineer', 'Engineering', 18, 'UTR'],
  ['Amara', 'Diallo', 'Data Engineer', 'Engineering', 18, 'TOR'],
  ['Willem', 'Kok', 'Director of Research', 'Research', 3, 'UTR'],
  ['Ines', 'Rocha', 'Optics Researcher', 'Research', 25, 'LIS'],
  ['Jonas', 'Weber', 'Chemist', 'Research', 25, 'UTR'],
  ['Chloe', 'Martin', 'Applications Scientist', 'Research', 25, 'TOR'],
  ['Youssef', 'Haddad', 'Director of Sales', 'Sales', 4, 'UTR'],
  ['Grace', 'Wilson', 'Account Manager', 'Sales', 29, 'TOR'],
  ['Miguel', 'Santos', 'Account Manager', 'Sales', 29, 'LIS'],
  ['Lotte', 'Mulder', 'Sales Operations Analyst', 'Sales', 29, 'UTR'],
  ['Nina', 'Petrova', 'Marketing Manager', 'Sales', 29, 'UTR'],
  ['Ethan', 'Roy', 'Logistics Manager', 'Operations', 4, 'TOR'],
  ['Carla', 'Nunes', 'Purchasing Specialist', 'Operations', 34, 'LIS'],
  ['Bram', 'Dekker', 'Production Planner', 'Operations', 34, 'UTR'],
  ['Zoe', 'Campbell', 'Quality Manager', 'Operations', 4, 'TOR'],
  ['Helena', 'Duarte', 'Head of People', 'People', 1, 'LIS'],
  ['Ruben', 'Peters', 'Recruiter', 'People', 38, 'UTR'],
  ['Aisha', 'Khan', 'Legal Counsel', 'People', 1, 'TOR'],
];

export const basePeople = roster.length;

/** Where one of the first forty people works. */
export function workplaceOf(number: number): { department: string; site: string } {
  const row = roster[number - 1];
  if (row === undefined) throw new RangeError(`person ${number} does not exist`);
  return { department: row[3], site: row[5] };
}

/** Login and mail address of one of the first forty people. */
export function addressOfPerson(number: number): { login: string; mail: string; name: string } {
  const [first = '', last = ''] = roster[number - 1] ?? [];
  const login = toLogin(first, last);
  return { login, mail: `${login}@${company.domain}`, name: `${first} ${last}` };
}

function statusOf(number: number): Person['status'] {
  if (number === 39) return 'deprovisioned';
  if (number === 28) return 'suspended';
  return number === 36 ? 'locked' : 'active';
}

function toLogin(first: string, last: string): string {
  return `${first}.${last}`.toLowerCase().replaceAll(' ', '');
}

/** Member of staff by number. Numbers above the roster repeat it with another login, for a larger company. */
export function makePerson(context: WorldContext, number: number): Person {
  const base = ((number - 1) % basePeople) + 1;
  const copy = Math.floor((number - 1) / basePeople);
  const row = roster[base - 1];
  if (row === undefined) throw new RangeError(`person ${number} does not exist`);
  const [first, last, title, department, manager, siteCode] = row;
  const site = siteOf(siteCode);
  const random = new Random(context.seed, 'person', number);
  const login = toLogin(first, last) + (copy === 0 ? '' : String(copy + 1));
  const status = copy === 0 ? statusOf(base) : 'active';
  const isVictim = number === story.victim;
  const created = context.daysAgo(random.int(200, 2_400));
  const changed = isVictim
    ? context.at(-1, story.riskDetected)
    : context.daysAgo(random.int(1, 90) + random.next());
  const loggedIn = isVictim
    ? context.at(-1, story.signIn)
    : status === 'deprovisioned'
      ? context.daysAgo(45)
      : context.minutesAgo(random.int(5, 2_000));
  return {
    key: keyOf('emp', number),
    number,
    employee_number: `A${String(10_000 + number * 7)}`,
    login,
    mail: `${login}@${company.domain}`,
    first_name: first,
    last_name: last,
    display_name: `${first} ${last}${copy === 0 ? '' : ` ${copy + 1}`}`,
    title,
    department,
    manager: manager === null ? null : keyOf('emp', manager),
    phone: `${site.phone_prefix}${String(number).padStart(2, '0')}`,
    mobile_phone: `${site.phone_prefix.split(' ')[0] ?? ''} 555 ${String(number).padStart(5, '0')}`,
    site: site.code,
    city: site.city,
    country: site.country,
    country_code: site.country_code,
    timezone: site.timezone,
    language: site.language,
    status,
    is_admin: department === 'IT' || number === 5,
    mfa: base % 9 === 0 ? 'not_enabled' : 'enabled',
    risk_level: isVictim ? 'high' : base === 31 ? 'medium' : base === 10 ? 'low' : 'none',
    device: status === 'deprovisioned' ? null : laptopOf(number),
    directory_id: random.uuid(),
    ...stamp('created', created),
    ...stamp('changed', changed),
    ...maybeStamp('last_login', loggedIn),
    ...stamp('password_changed', context.daysAgo(random.int(10, 170))),
  };
}

/** The first laptops of each sixty devices belong to the forty people of the same order. */
export function laptopOf(personNumber: number): string {
  const base = (personNumber - 1) % basePeople;
  const copy = Math.floor((personNumber - 1) / basePeople);
  return keyOf('dev', copy * 60 + base + 1);
}

export function* makePeople(context: WorldContext): Generator<Person> {
  for (let number = 1; number <= basePeople * context.scale; number++)
    yield makePerson(context, number);
}

const groupRows: readonly (readonly [
  name: string,
  description: string,
  kind: Group['kind'],
  members: string | readonly number[],
])[] = [
  ['Management', 'The executive team', 'department', [1, 2, 3, 4]],
  ['Finance', 'Accounting, payroll and control', 'department', 'Finance'],
  ['Security', 'Information security', 'department', 'Security'],
  ['IT', 'Service desk, systems and networks', 'department', 'IT'],
  ['Engineering', 'Software and firmware', 'department', 'Engineering'],
  ['Research', 'Optics and chemistry', 'department', 'Research'],
  ['Sales', 'Sales and marketing', 'department', 'Sales'],
  ['Operations', 'Logistics, purchasing and quality', 'department', 'Operations'],
  ['Domain Administrators', 'Full rights in the directory', 'security', [6, 15]],
  ['Cloud Deployers', 'May deploy to the cloud accounts', 'security', [18, 19, 20, 24]],
  ['VPN Users', 'May connect from outside', 'security', 'all'],
  ['All Staff', 'Everybody', 'distribution', 'all'],
];

/** Groups have their members among the first forty people; the larger company is in none but the two of everybody. */
export function* makeGroups(context: WorldContext): Generator<Group> {
  for (const [index, [name, description, kind, members]] of groupRows.entries()) {
    const random = new Random(context.seed, 'group', name);
    const numbers =
      typeof members !== 'string'
        ? members
        : roster.flatMap(([, , , department], place) =>
            members === 'all' || department === members ? [place + 1] : [],
          );
    yield {
      key: keyOf('grp', index + 1),
      name,
      description,
      mail: `${name.toLowerCase().replaceAll(' ', '-')}@${company.domain}`,
      kind,
      members: numbers
        .filter((number) => statusOf(number) !== 'deprovisioned')
        .map((number) => keyOf('emp', number)),
      owner: keyOf('emp', numbers[0] ?? 1),
      directory_id: random.uuid(),
      ...stamp('created', context.daysAgo(random.int(600, 2_000))),
      ...stamp('changed', context.daysAgo(random.int(2, 60))),
    };
  }
}
