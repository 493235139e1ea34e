import { ConfigurationError } from '#config';
import { matchRoute, operations } from '#contract';

const variable = 'API_PATH_ALIASES';
/** Maximum number of aliases: each is compared with the path of each request that the API does not know. */
const maxAliases = 500;
const segmentForm = /^(?:(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+|\{\w+\})$/;
/** The first segments of the other paths that the gateway serves. */
const otherPaths = new Set(['connect', 'connect.js', 'console', 'reference', 'sso']);

interface Alias {
  old: readonly string[];
  ours: readonly string[];
}

/** Paths that existing clients know, by the paths of the API that they stand for. Paths of the API itself have no other meaning. */
export class PathAliases {
  private readonly aliases: readonly Alias[];

  /** @param entries `old=ours` @throws ConfigurationError that lists every fault */
  constructor(entries: readonly string[]) {
    const problems = entries.length > maxAliases ? [`has more than ${maxAliases} aliases`] : [];
    const aliases = entries.slice(0, maxAliases).flatMap((entry) => {
      const alias = readAlias(entry);
      const faults = typeof alias === 'string' ? [alias] : faultsOf(alias);
      problems.push(...faults.map((fault) => `has the entry ${entry}: ${fault}`));
      return typeof alias === 'string' ? [] : [alias];
    });
    const seen = new Set<string>();
    for (const { old } of aliases) {
      const key = formOf(old).join('/');
      if (seen.has(key)) problems.push(`has several entries for ${pathOf(old)}`);
      seen.add(key);
    }
    if (problems.length > 0)
      throw new ConfigurationError(problems.map((problem) => `${variable} ${problem}.`));
    // The longest one fits best, and a text better than a parameter.
    const texts = ({ old }: Alias) => old.filter((segment) => !isParameter(segment)).length;
    this.aliases = aliases.sort(
      (one, other) => other.old.length - one.old.length || texts(other) - texts(one),
    );
  }

  /** Returns the path of the API that a request means, percent-encoded as it came. */
  resolve(method: string, pathname: string): string {
    if (this.aliases.length === 0) return pathname;
    const segments = pathname.split('/').slice(1);
    for (const alias of this.aliases) {
      const path = fill(alias, segments);
      if (path !== undefined) return matchRoute(method, pathname) === undefined ? path : pathname;
    }
    return pathname;
  }
}

/** Reads an entry. @returns its fault, if it is not a valid alias */
function readAlias(entry: string): Alias | string {
  const parts = entry.split('=').map((part) => part.trim().replace(/\/\*?$/, ''));
  const [old = [], ours = []] = parts.map((part) => part.split('/'));
  if (parts.length !== 2) return 'must be a path, =, and a path of the API';
  for (const [place, [first, ...segments]] of Object.entries({ before: old, behind: ours }))
    if (first !== '' || segments.length === 0 || !segments.every((one) => segmentForm.test(one)))
      return `${place} = must be a path such as /v1/tickets/{ticketId}`;
  return { old: old.slice(1), ours: ours.slice(1) };
}

function faultsOf({ old, ours }: Alias): string[] {
  const unknown = ours.filter((segment) => isParameter(segment) && !old.includes(segment));
  const known = [...operations.values()].map(({ path }) => path.split('/').slice(1));
  return [
    ...unknown.map((parameter) => `${parameter} is missing before =`),
    ...(otherPaths.has(old[0] ?? '') ? [`/${old[0]} is a path of the gateway itself`] : []),
    ...(known.some((path) => formOf(path).join('/') === formOf(old).join('/'))
      ? [`${pathOf(old)} is a path of the API itself`]
      : []),
    ...(known.some((path) => isAtOrBelow(path, ours))
      ? []
      : [`there is no path ${pathOf(ours)} in the API`]),
  ];
}

function isAtOrBelow(path: readonly string[], prefix: readonly string[]): boolean {
  return (
    path.length >= prefix.length &&
    prefix.every((segment, at) => isParameter(segment) || segment === path[at])
  );
}

function fill({ old, ours }: Alias, segments: readonly string[]): string | undefined {
  if (segments.length < old.length) return undefined;
  const values = new Map<string, string>();
  for (const [at, wanted] of old.entries()) {
    const segment = segments[at] ?? '';
    if (isParameter(wanted) && segment !== '') values.set(wanted, segment);
    else if (segment !== wanted) return undefined;
  }
  const path = ours.map((segment) => values.get(segment) ?? segment);
  return pathOf([...path, ...segments.slice(old.length)]);
}

function isParameter(segment: string | undefined): boolean {
  return segment?.startsWith('{') === true;
}

/** A path without the names of its parameters. */
function formOf(path: readonly string[]): string[] {
  return path.map((segment) => (isParameter(segment) ? '{}' : segment));
}

function pathOf(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}
