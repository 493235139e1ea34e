import type { ManagementSchemas } from '#contract';
import { addressFault, fault, faults } from '#management/core';

type Options = ManagementSchemas['ConnectOptions'] | null | undefined;

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
  const help = options?.theme?.help_url;
  const wrong = help ? addressFault(help, '/options/connect/theme/help_url') : undefined;
  if (wrong) throw faults([wrong]);
}

/** True for an origin as browsers write it. Only https proves who serves a page, and this machine needs no proof. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || hostname.includes('*')) return false;
  return protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
}
