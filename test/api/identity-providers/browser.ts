import { randomInt } from 'node:crypto';

/** A page in the browser. */
export interface Page {
  url: string;
  status: number;
  text: string;
  headers: Headers;
}

/** Form of a page: its address, and its fields with their values. */
export interface Form {
  action: string;
  method: string;
  fields: Record<string, string>;
}

interface Cookie {
  value: string;
  path: string;
  sameSite: string;
}

const maxRedirects = 20;

/** The parts of a browser that a sign-on needs: cookies with their SameSite rules, redirects, forms. */
export class Browser {
  /** An address of its own, as people have: the gateway limits how often one sends requests without a token. */
  private readonly address = `198.18.${randomInt(256)}.${randomInt(256)}`;
  private readonly jars = new Map<string, Map<string, Cookie>>();

  /** Opens an address and follows redirects. @param stopAt stops before it opens an address that contains this text */
  async visit(url: string, stopAt?: string): Promise<Page> {
    return await this.open(url, { method: 'GET' }, undefined, stopAt);
  }

  /** Fills in the form of the page and sends it. */
  async submit(page: Page, values: Record<string, string> = {}, stopAt?: string): Promise<Page> {
    const { action, method, fields } = formOf(page);
    const body = new URLSearchParams({ ...fields, ...values });
    if (method === 'GET') return await this.visit(`${action}?${body.toString()}`, stopAt);
    return await this.open(action, { method: 'POST', body }, new URL(page.url).origin, stopAt);
  }

  /** Names of the cookies that an address has set. */
  cookies(origin: string): string[] {
    return [...(this.jars.get(origin)?.keys() ?? [])];
  }

  private async open(
    first: string,
    init: { method: string; body?: URLSearchParams },
    from: string | undefined,
    stopAt: string | undefined,
  ): Promise<Page> {
    let url = first;
    let { method, body } = init;
    for (let hop = 0; hop < maxRedirects; hop += 1) {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          cookie: this.cookieHeader(url, method === 'GET' ? undefined : from),
          'x-forwarded-for': this.address,
        },
        ...(body === undefined ? {} : { body }),
      });
      this.keep(url, response.headers);
      const location = response.headers.get('location');
      const page = { url, status: response.status, headers: response.headers };
      if (location === null || response.status < 300 || response.status > 399)
        return { ...page, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
      if (stopAt !== undefined && url.includes(stopAt)) return { ...page, url, text: '' };
      method = 'GET';
      body = undefined;
    }
    throw new Error(`more than ${maxRedirects} redirects, the last one to ${url}`);
  }

  /** A POST from another site sends only cookies with SameSite=None. */
  private cookieHeader(url: string, from: string | undefined): string {
    const { origin, pathname } = new URL(url);
    const isForeign = from !== undefined && from !== origin;
    return [...(this.jars.get(origin) ?? [])]
      .filter(([, { path }]) => pathname.startsWith(path))
      .filter(([, { sameSite }]) => !isForeign || sameSite === 'none')
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keep(url: string, headers: Headers): void {
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, Cookie>();
    this.jars.set(origin, jar);
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const cut = pair.indexOf('=');
      const of = (name: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const isOver = of('max-age') === '0' || Date.parse(of('expires') ?? '') < Date.now();
      const value = pair.slice(cut + 1);
      if (isOver) jar.delete(pair.slice(0, cut));
      else
        jar.set(pair.slice(0, cut), {
          value,
          path: of('path') ?? '/',
          sameSite: of('samesite')?.toLowerCase() ?? 'lax',
        });
    }
  }
}

/** Returns the first form of a page. */
export function formOf({ text, url }: Page): Form {
  const [, attributes = '', inner = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/i.exec(text) ?? [];
  const fields: Record<string, string> = {};
  for (const [input] of inner.matchAll(/<input[^>]*>/gi)) {
    const name = attributeOf(input, 'name');
    if (name !== undefined) fields[name] = attributeOf(input, 'value') ?? '';
  }
  if (attributes === '') throw new Error(`${url} shows no form:\n${text.slice(0, 2_000)}`);
  return {
    action: new URL(attributeOf(attributes, 'action') ?? '', url).href,
    method: (attributeOf(attributes, 'method') ?? 'get').toUpperCase(),
    fields,
  };
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#43;', '+')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
