import httpLinkHeader from 'http-link-header';
import type { Value } from '@onefold/mapping';

/** A notice of the vendor in a response: that it will change or end, or that something of the request is not as it should be. */
export interface ResponseNotice {
  kind: 'deprecation' | 'sunset' | 'warning';
  /** RFC 3339: since when it is deprecated, or when it ends. */
  date?: string;
  /** The vendor's page about it. */
  link?: string;
  /** Identifies the warning. */
  code?: string;
}

type Headers = Readonly<Record<string, string>>;

const maxLinkLength = 300;
/** Words of a vendor may hold values of the customer, but codes are the vendor's own. */
const codeForm = /^[A-Za-z][\w.:-]{0,63}$/;
/** Warnings of a response. */
const maxWarnings = 5;

/** Reads `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Warning` (RFC 9111). Nearly all responses have none of them. */
export function readNoticeHeaders(headers: Headers): ResponseNotice[] {
  const { deprecation, sunset, warning } = headers;
  const notices: ResponseNotice[] = [];
  if (deprecation !== undefined && !isFalse(deprecation))
    notices.push(notice('deprecation', deprecation, headers));
  if (sunset !== undefined) notices.push(notice('sunset', sunset, headers));
  if (warning !== undefined) notices.push(...readWarnings(warning));
  return notices;
}

/** Reads what the expression of the document found: a text, or a list of texts. Codes are named, words are only counted. */
export function readWarningCodes(found: Value): ResponseNotice[] {
  const texts = (Array.isArray(found) ? found : [found]).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  return texts
    .slice(0, maxWarnings)
    .map((code) => ({ kind: 'warning', ...(codeForm.test(code) ? { code } : {}) }));
}

function notice(kind: 'deprecation' | 'sunset', value: string, headers: Headers): ResponseNotice {
  const date = readDate(value);
  const link = readLink(headers['link'], kind);
  return { kind, ...(date && { date }), ...(link && { link }) };
}

/** Vendors that follow drafts of the RFC send a boolean. */
function isFalse(deprecation: string): boolean {
  return ['false', '?0'].includes(deprecation.trim().toLowerCase());
}

/** Reads a date of HTTP, or one of structured headers such as `@1688169599`. */
function readDate(text: string): string | undefined {
  const [, seconds] = /^\s*@(-?\d{1,12})\s*$/.exec(text) ?? [];
  const date = seconds === undefined ? Date.parse(text) : Number(seconds) * 1000;
  return Number.isNaN(date) || Math.abs(date) > 8.64e15 ? undefined : new Date(date).toISOString();
}

/** Finds the link of a relation. Its query is left out: it may be of the customer. */
function readLink(header: string | undefined, relation: string): string | undefined {
  for (const { uri } of parseLinks(header, relation)) {
    const url = URL.parse(uri);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    const link = url.origin + url.pathname;
    if (link.length <= maxLinkLength) return link;
  }
  return undefined;
}

function parseLinks(header: string | undefined, relation: string): { uri: string }[] {
  try {
    return header === undefined ? [] : httpLinkHeader.parse(header).rel(relation);
  } catch {
    return []; // A header that is not valid has no link, and the notice is as good without it.
  }
}

/** Those of 199 and 299 are of the vendor; the others are of caches, or say that a body was transformed. */
function readWarnings(header: string): ResponseNotice[] {
  const codes = [...header.matchAll(/(?:^|,)\s*([12]99)\s+\S+\s+"/g)].map(([, code]) => code);
  return codes.slice(0, maxWarnings).map((code = '') => ({ kind: 'warning', code }));
}
