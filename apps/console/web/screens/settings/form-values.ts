import type { ManagementSchemas } from '#contract';

export type Organization = ManagementSchemas['Organization'];
type Theme = ManagementSchemas['ConnectTheme'];
type Environment = ManagementSchemas['Environment'];

const allEnvironments: Environment[] = ['test', 'prod'];

/** The texts of the form. */
export interface Texts {
  fullname: string;
  /** One address per line. */
  mails: string;
  mailEnvironments: Environment[];
  /** One origin per line. */
  origins: string;
  product: string;
  accent: string;
  accentDark: string;
  appearance: string;
  /** Images as `data:` addresses. */
  logo: string;
  logoDark: string;
  /** Pixels. */
  radius: string;
  font: string;
  help: string;
  helps: readonly HelpRow[];
}

export interface HelpRow {
  /** Id of a provider; empty until one is chosen. */
  provider: string;
  address: string;
}

export function textsOf({ fullname, options }: Organization): Texts {
  const { origins, theme } = options?.connect ?? {};
  const { addresses, environments } = options?.alarm_mails ?? {};
  return {
    fullname,
    mails: (addresses ?? []).join('\n'),
    mailEnvironments: environments ?? allEnvironments,
    origins: (origins ?? []).join('\n'),
    product: theme?.product_name ?? '',
    accent: theme?.accent ?? '',
    accentDark: theme?.accent_dark ?? '',
    appearance: theme?.appearance ?? '',
    logo: theme?.logo ?? '',
    logoDark: theme?.logo_dark ?? '',
    radius: String(theme?.radius ?? ''),
    font: theme?.font ?? '',
    help: theme?.help_url ?? '',
    helps: Object.entries(theme?.help_urls ?? {}).map(([provider, address]) => {
      return { provider, address };
    }),
  };
}

/** The theme that the form says; what is not chosen is null. */
export function themeOf(texts: Texts): Theme {
  const { helps } = texts;
  return {
    product_name: texts.product.trim() || null,
    accent: texts.accent || null,
    accent_dark: texts.accentDark || null,
    appearance: (texts.appearance || null) as Theme['appearance'] & null,
    logo: texts.logo || null,
    logo_dark: texts.logoDark || null,
    radius: texts.radius.trim() === '' ? null : Number(texts.radius),
    font: (texts.font || null) as Theme['font'] & null,
    help_url: texts.help.trim() || null,
    help_urls:
      helps.length === 0
        ? null
        : Object.fromEntries(helps.map(({ provider, address }) => [provider, address.trim()])),
  };
}

/** Says why a row of help cannot be saved; undefined if it can. */
export function helpFault(rows: readonly HelpRow[], at: number): string | undefined {
  const { provider = '', address = '' } = rows[at] ?? {};
  if (provider === '') return 'Choose the provider.';
  if (address.trim() === '') return 'This is needed.';
  const isTwice = rows.slice(0, at).some((one) => one.provider === provider);
  return isTwice ? 'This provider has help above.' : undefined;
}

/** Largest roundness of corners in pixels, as the contract has it. */
export const maxRadius = 24;

/** Says why a text is not a roundness of corners; undefined if it is one. */
export function radiusFault(text: string): string | undefined {
  const isWhole = /^\s*\d*\s*$/.test(text);
  return isWhole && Number(text) <= maxRadius
    ? undefined
    : `“${text}” is not a whole number from 0 to ${maxRadius}.`;
}

export function linesIn(text: string): string[] {
  return [...new Set(text.split('\n').flatMap((line) => line.trim() || []))];
}

/** Says why a text is not a mail address; undefined if it may be one, which the service decides. */
export function mailFault(text: string): string | undefined {
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(text)
    ? undefined
    : `“${text}” is not a mail address. Write it like alarms@example.com.`;
}

/** Says why it cannot be saved who gets alarms; undefined if it can. */
export function mailsFault({ mails, mailEnvironments }: Texts): string | undefined {
  const addresses = linesIn(mails);
  if (addresses.length > 0 && mailEnvironments.length === 0) return 'Choose at least one.';
  return addresses.map(mailFault).find((one) => one !== undefined);
}

/** The setting that the form says; undefined if nobody gets alarms. */
function alarmMailsOf({ mails, mailEnvironments }: Texts) {
  const addresses = linesIn(mails);
  if (addresses.length === 0) return undefined;
  const isAll = allEnvironments.every((one) => mailEnvironments.includes(one));
  return { addresses, ...(isAll ? {} : { environments: mailEnvironments }) };
}

/** The changes of a record that make it what the form says; everything else of its options stays. */
export function patchOf(record: Organization, texts: Texts) {
  const { alarm_mails: _before, ...options } = record.options ?? {};
  const mails = alarmMailsOf(texts);
  const theme: Theme = { ...options.connect?.theme, ...themeOf(texts) };
  const connect = {
    ...options.connect,
    origins: linesIn(texts.origins),
    theme: Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== null)),
  };
  return [
    { op: 'test', path: '/updated_at', value: record.updated_at },
    ...(texts.fullname === record.fullname
      ? []
      : [{ op: 'replace', path: '/fullname', value: texts.fullname }]),
    {
      op: 'add',
      path: '/options',
      value: { ...options, connect, ...(mails && { alarm_mails: mails }) },
    },
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
