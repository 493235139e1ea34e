import type { FakeDocument, OauthAcceptance, Route } from '../document/fake-document.js';

/** The route of a request; `other` where only the method is wrong. */
export type Matched =
  | { kind: 'route'; route: Route; path: Record<string, string> }
  | { kind: 'token'; acceptance: OauthAcceptance }
  | { kind: 'other'; methods: readonly string[] }
  | { kind: 'none' };

export function matchRoute(document: FakeDocument, method: string, path: string): Matched {
  for (const acceptance of document.auth?.accepts ?? [])
    if (acceptance.kind === 'oauth' && acceptance.path === path && method === 'POST')
      return { kind: 'token', acceptance };
  const methods = new Set<string>();
  for (const route of document.routes) {
    const found = route.pattern.exec(path);
    if (found === null) continue;
    if (!route.methods.includes(method)) {
      for (const one of route.methods) methods.add(one);
      continue;
    }
    const values = route.names.map(
      (name, index) => [name, decode(found[index + 1] ?? '')] as const,
    );
    return { kind: 'route', route, path: Object.fromEntries(values) };
  }
  return methods.size > 0 ? { kind: 'other', methods: [...methods] } : { kind: 'none' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not an escape, so it is the text itself
  }
}
