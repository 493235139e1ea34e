import type {
  CodeAcceptance,
  FakeDocument,
  OauthAcceptance,
  Revocation,
  Route,
} from '../document/fake-document.js';
import { takesForm } from '../document/read-route.js';
import { QueryFault } from '../languages/language.js';
import type { Asked } from './graphql.js';

/** The route of a request; `other` where only the method is wrong. */
export type Matched =
  | { kind: 'route'; route: Route; path: Record<string, string> }
  | { kind: 'token'; acceptance: OauthAcceptance | CodeAcceptance }
  | { kind: 'decision'; acceptance: CodeAcceptance }
  | { kind: 'revocation'; acceptance: CodeAcceptance; revocation: Revocation; client: string }
  | { kind: 'other'; methods: readonly string[] }
  /** A query of GraphQL that is not valid, or for a field that no route answers. */
  | { kind: 'unasked'; fault: string }
  | { kind: 'none' };

/**
 * Finds the route of a request.
 * @param type media type of the body; it decides between a route of GET and POST, which takes forms, and one of POST alone with the same path
 * @param asked what a query of GraphQL asks for; it decides between the routes of its fields
 */
export function matchRoute(
  document: FakeDocument,
  method: string,
  path: string,
  type?: string,
  asked?: Asked | QueryFault,
): Matched {
  for (const acceptance of document.auth?.accepts ?? []) {
    const { kind } = acceptance;
    if (kind === 'oauth_code' && acceptance.page === path && method === 'GET')
      return { kind: 'decision', acceptance };
    if (kind === 'oauth_code') {
      const revocation = matchRevocation(acceptance, method, path);
      if (revocation !== undefined) return revocation;
    }
    const issues = kind === 'oauth' || kind === 'oauth_code';
    if (issues && acceptance.path === path && method === 'POST')
      return { kind: 'token', acceptance };
  }
  const methods = new Set<string>();
  let second: { route: Route; found: RegExpExecArray } | undefined;
  let isUnasked = false;
  const { pathSuffix = '' } = document;
  const barePath = path.endsWith(pathSuffix)
    ? path.slice(0, path.length - pathSuffix.length)
    : path;
  for (const route of document.routes) {
    const found = route.pattern.exec(barePath);
    if (found === null) continue;
    if (!route.methods.includes(method)) {
      for (const one of route.methods) methods.add(one);
      continue;
    }
    if (
      route.field !== undefined &&
      !(asked !== undefined && 'route' in asked && asked.route === route.field)
    ) {
      isUnasked = true;
      continue;
    }
    if (second !== undefined && second.route.path !== route.path) continue;
    const isOther = document.takesForms && method === 'POST' && takesForm(route) !== isForm(type);
    if (!isOther) return routeFor(route, found);
    second ??= { route, found };
  }
  if (second !== undefined) return routeFor(second.route, second.found);
  if (isUnasked) return { kind: 'unasked', fault: faultOf(asked) };
  return methods.size > 0 ? { kind: 'other', methods: [...methods] } : { kind: 'none' };
}

function faultOf(asked: Asked | QueryFault | undefined): string {
  if (asked === undefined || asked instanceof QueryFault) return asked?.message ?? '';
  const [type, name] = asked.route.split('.');
  return `Cannot query field "${name}" on type "${type}".`;
}

function matchRevocation(
  acceptance: CodeAcceptance,
  method: string,
  path: string,
): Matched | undefined {
  const { revocation } = acceptance;
  if (revocation?.method !== method) return undefined;
  const [before = '', after] = revocation.path.split('{client_id}');
  if (after === undefined)
    return path === before ? { kind: 'revocation', acceptance, revocation, client: '' } : undefined;
  const client = path.slice(before.length, path.length - after.length);
  if (client.includes('/') || before + client + after !== path) return undefined;
  return { kind: 'revocation', acceptance, revocation, client: decode(client) };
}

/** True for the media type of a form. */
export function isForm(type = ''): boolean {
  return type.startsWith('application/x-www-form-urlencoded');
}

function routeFor(route: Route, found: RegExpExecArray): Matched {
  const values = route.names.map((name, index) => [name, decode(found[index + 1] ?? '')] as const);
  return { kind: 'route', route, path: Object.fromEntries(values) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not an escape, so it is the text itself
  }
}
