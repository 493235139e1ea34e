import type { ChangedState } from '#store';

/** Integrations that a mail lists; it counts the others. */
export const maxListed = 50;
const maxNameLength = 100;
const maxErrorLength = 500;
const maxSubjectLength = 150;

export interface DigestPlace {
  organizationName: string;
  recipient: string;
  /** Where people reach the console; absent where nobody said. */
  consoleUrl: string | undefined;
}

/** The states as the person who reads a mail understands them, the most urgent first. */
const words = new Map([
  ['credentials_refused', 'the provider refuses the credential'],
  ['permission_missing', 'the credential lacks a permission'],
  ['failing', 'the response of the provider is invalid, or a mapping fails on it'],
  ['unavailable', 'the provider does not respond'],
  ['rate_limited', 'the rate limit of the provider is reached'],
]);
const order = [...words.keys()];

const isWorking = (status: string | null) => status === null || !words.has(status);

/** The changes that people are told of: not the first calls of new integrations that just work. */
export function toReport(changes: readonly ChangedState[]): ChangedState[] {
  return changes.filter(
    ({ status, previousStatus, error }) =>
      !isWorking(status) || !isWorking(previousStatus) || error !== null,
  );
}

/** Writes the mail about some changes, of which there is at least one. Names and errors are texts of others, so each becomes one line. */
export function writeDigest(
  changes: readonly ChangedState[],
  place: DigestPlace,
): { subject: string; text: string } {
  const broken = changes
    .filter(({ status }) => !isWorking(status))
    .sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  const working = changes.filter(({ status }) => isWorking(status));
  const listed = [...broken, ...working].slice(0, maxListed);
  const left = changes.length - listed.length;
  const sections = [
    section('Not working', listed, broken, place),
    section('Working again', listed, working, place),
    left === 0 ? '' : `And ${countOf(left)} more${at(place, 'integrations')}`,
    footer(place),
  ];
  return {
    subject: cut(subjectOf(broken, working), maxSubjectLength),
    text: `${sections.filter((one) => one !== '').join('\n\n')}\n`,
  };
}

function subjectOf(broken: readonly ChangedState[], working: readonly ChangedState[]): string {
  const [first] = broken;
  const [healed] = working;
  if (first !== undefined && broken.length + working.length === 1)
    return `${nameOf(first)}: ${words.get(first.status)}`;
  if (healed !== undefined && broken.length + working.length === 1)
    return `${nameOf(healed)} works again`;
  return [
    ...(broken.length === 0 ? [] : [`${countOf(broken.length)} not working`]),
    ...(working.length === 0 ? [] : [`${countOf(working.length)} working again`]),
  ].join(', ');
}

function section(
  title: string,
  listed: readonly ChangedState[],
  those: readonly ChangedState[],
  place: DigestPlace,
): string {
  const entries = listed.filter((one) => those.includes(one)).map((one) => entryOf(one, place));
  return entries.length === 0 ? '' : [`${title}:`, ...entries].join('\n\n');
}

function entryOf(change: ChangedState, place: DigestPlace): string {
  const { status, since, previousStatus, changes, error, environment, providerName } = change;
  const state = words.get(status);
  const time = `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const before = isWorking(previousStatus) ? undefined : words.get(previousStatus ?? '');
  return [
    `${nameOf(change)} (${line(providerName, maxNameLength)}, ${environment})`,
    state === undefined ? `  Works since ${time}.` : `  Since ${time}: ${state}.`,
    ...(before === undefined ? [] : [`  Before: ${before}.`]),
    ...(changes > 1 ? [`  It changed ${changes} times.`] : []),
    ...(error === null ? [] : [`  ${line(error, maxErrorLength)}`]),
    ...linkTo(place, `integrations/${change.accountId}/${change.integrationId}`),
  ].join('\n');
}

function footer(place: DigestPlace): string {
  const { recipient, organizationName } = place;
  return [
    '-- ',
    `You get this mail because ${recipient} is one of the addresses for alarms of ${line(organizationName, maxNameLength)}.`,
    `To stop it, have the address taken out of “Alarms by mail” in the settings of the organization${at(place, 'settings')}`,
  ].join('\n');
}

function nameOf({ integrationName, accountName }: ChangedState): string {
  return `“${line(integrationName, maxNameLength)}” of “${line(accountName, maxNameLength)}”`;
}

function countOf(count: number): string {
  return count === 1 ? '1 integration' : `${count.toLocaleString('en-US')} integrations`;
}

function at(place: DigestPlace, path: string): string {
  const [link] = linkTo(place, path);
  return link === undefined ? '.' : `: ${link.trim()}`;
}

function linkTo({ consoleUrl }: DigestPlace, path: string): string[] {
  return consoleUrl === undefined ? [] : [`  ${consoleUrl.replace(/(?<!\/)\/+$/, '')}/${path}`];
}

/** Makes a text of others one line: no line of it looks like one of the mail, and nothing turns its direction. */
function line(text: string, maxLength: number): string {
  return cut(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), maxLength);
}

function cut(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
