import type { ManagementSchemas } from '#contract';
import { addressFault, fault, faults } from '#management/core';

type Options = ManagementSchemas['ConnectOptions'] | null | undefined;

const maxLogoBytes = 32 * 1024;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Checks where the Connect UI may be embedded, and its looks. @throws ApiError 400 */
export function checkConnectOptions(options: Options): void {
  for (const [index, origin] of (options?.origins ?? []).entries())
    if (!isOrigin(origin))
      throw fault(`/options/connect/origins/${index}`, 'is not an https origin', {
        value: origin,
        remediation:
          'Write scheme, host and port alone, such as https://app.example.com; http is for localhost.',
      });
  for (const name of ['accent', 'accent_dark'] as const) {
    const color = options?.theme?.[name];
    if (color && !/^#[0-9a-f]{6}$/i.test(color))
      throw fault(`/options/connect/theme/${name}`, 'is not a colour', {
        value: color,
        remediation: 'Write it as #rrggbb.',
      });
  }
  for (const name of ['logo', 'logo_dark'] as const) checkLogo(options?.theme?.[name], name);
  const { help_url: help, help_urls: ofProviders } = options?.theme ?? {};
  const helps = { help_url: help, ...prefixed('help_urls/', ofProviders ?? {}) };
  const wrong = Object.entries(helps).flatMap(([name, address]) =>
    address ? (addressFault(address, `/options/connect/theme/${name}`) ?? []) : [],
  );
  if (wrong.length > 0) throw faults(wrong);
}

/** Takes images of pixels alone: an SVG could have links and text that looks like that of the page. @throws ApiError 400 */
function checkLogo(logo: string | null | undefined, name: string): void {
  if (!logo) return;
  const [, format = '', base64 = ''] =
    /^data:image\/(png|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo) ?? [];
  const content = Buffer.from(base64, 'base64');
  const isPng = content.subarray(0, 8).equals(pngSignature);
  const isWebp = /^RIFF[^]{4}WEBP$/.test(content.subarray(0, 12).toString('latin1'));
  if ((format === 'png' && isPng) || (format === 'webp' && isWebp)) {
    if (content.length <= maxLogoBytes) return;
    throw fault(`/options/connect/theme/${name}`, 'is too large', {
      remediation: `Send an image of at most ${maxLogoBytes} bytes; this one has ${content.length}.`,
    });
  }
  throw fault(`/options/connect/theme/${name}`, 'is not a PNG or WebP image', {
    remediation: 'Write it as data:image/png;base64,… or data:image/webp;base64,….',
  });
}

function prefixed<Value>(prefix: string, of: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [prefix + name, value]));
}

/** True for an origin as browsers write it. Only https proves who serves a page, and this machine needs no proof. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || hostname.includes('*')) return false;
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
}
