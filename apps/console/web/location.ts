import { computed, signal } from '@preact/signals';

export const base = '/console';

/** The address below `/console`: path with a slash at its beginning, and search parameters. */
export const place = signal(read());
export const path = computed(() => place.value.path);

addEventListener('popstate', () => {
  place.value = read();
});

/** The environment of accounts that the whole console is limited to, as the address says: `test` or `prod`, or empty for all. */
export const environment = computed(() => {
  const name = place.value.search.get('environment') ?? '';
  return name === 'test' || name === 'prod' ? name : '';
});

/** An address with the environment that the console is limited to, unless it names one itself. */
export function withEnvironment(to: string): string {
  if (environment.value === '' || /[?&]environment=/.test(to)) return to;
  return `${to}${to.includes('?') ? '&' : '?'}environment=${environment.value}`;
}

/** Goes to an address below `/console`. @param replaces the entry in the history, for filters that are typed */
export function go(to: string, replaces = false): void {
  show(withEnvironment(to), replaces);
}

function show(to: string, replaces: boolean): void {
  if (replaces) history.replaceState(null, '', base + to);
  else history.pushState(null, '', base + to);
  place.value = read();
}

/** Changes search parameters of the address, so that a link shows somebody else the same view; empty values are removed. */
export function setSearch(changes: Record<string, string>, replaces = false): void {
  const search = new URLSearchParams(place.peek().search);
  for (const [name, value] of Object.entries(changes))
    if (value === '') search.delete(name);
    else search.set(name, value);
  const text = search.toString();
  show(place.peek().path + (text === '' ? '' : `?${text}`), replaces);
}

function read() {
  return {
    path: location.pathname.slice(base.length) || '/',
    search: new URLSearchParams(location.search),
  };
}
