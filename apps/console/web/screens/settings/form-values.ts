import type { ManagementSchemas } from '#contract';

export type Organization = ManagementSchemas['Organization'];
type Theme = ManagementSchemas['ConnectTheme'];

/** The texts of the form. */
export interface Texts {
  fullname: string;
  /** One origin per line. */
  origins: string;
  product: string;
  accent: string;
  accentDark: string;
  appearance: string;
  help: string;
}

export function textsOf({ fullname, options }: Organization): Texts {
  const { origins, theme } = options?.connect ?? {};
  return {
    fullname,
    origins: (origins ?? []).join('\n'),
    product: theme?.product_name ?? '',
    accent: theme?.accent ?? '',
    accentDark: theme?.accent_dark ?? '',
    appearance: theme?.appearance ?? '',
    help: theme?.help_url ?? '',
  };
}

export function originsIn(text: string): string[] {
  return [...new Set(text.split('\n').flatMap((line) => line.trim() || []))];
}

/** The changes of a record that make it what the form says; everything else of its options stays. */
export function patchOf(record: Organization, texts: Texts) {
  const { options } = record;
  const theme: Theme = {
    ...options?.connect?.theme,
    product_name: texts.product.trim() || null,
    accent: texts.accent || null,
    accent_dark: texts.accentDark || null,
    appearance: (texts.appearance || null) as Theme['appearance'] & null,
    help_url: texts.help.trim() || null,
  };
  const connect = {
    ...options?.connect,
    origins: originsIn(texts.origins),
    theme: Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== null)),
  };
  return [
    { op: 'test', path: '/updated_at', value: record.updated_at },
    ...(texts.fullname === record.fullname
      ? []
      : [{ op: 'replace', path: '/fullname', value: texts.fullname }]),
    { op: 'add', path: '/options', value: { ...options, connect } },
  ];
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Says why a text is not an origin of a host's page; undefined if it is one. */
export function originFault(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes('*'))
    return `“${text}” is not an origin. Write it like https://app.example.com.`;
  const { origin, protocol, hostname } = new URL(text);
  if (protocol === 'http:' && !loopback.has(hostname))
    return `“${text}” is not https. Only https proves who serves a page; http is for localhost.`;
  if (protocol !== 'https:' && protocol !== 'http:')
    return `“${text}” is not an origin. It begins with https://.`;
  if (origin !== text) return `“${text}” is more than an origin. Write ${origin}.`;
  return undefined;
}
