import type { StoredSession } from './session-record.js';

/** Knows the address of the Connect UI. */
export class PageAddress {
  /** @param publicUrl returns where the gateway is reached from outside, known once its port is open */
  constructor(private readonly publicUrl: () => string) {}

  /** True if browsers reach the gateway over HTTPS. */
  get isSecure(): boolean {
    return this.publicUrl().startsWith('https:');
  }

  /** Returns where providers send browsers back to: one address, which the host enters in its applications. */
  callback(): string {
    return `${this.publicUrl().replace(/(?<!\/)\/+$/, '')}/connect/oauth/callback`;
  }

  /**
   * Returns the page that binds an authorization to the browser that opens it, and leads to that of the provider: what another browser
   * brings back is not taken.
   */
  begin(state: string): string {
    const base = this.publicUrl().replace(/(?<!\/)\/+$/, '');
    return `${base}/connect/oauth/begin?${new URLSearchParams({ state }).toString()}`;
  }

  /** Returns the page of a session or a link. The token is in the fragment, which browsers send to nobody. */
  of(organizationId: string, { scope, locale }: StoredSession, token: string): string {
    const base = this.publicUrl().replace(/(?<!\/)\/+$/, '');
    const fragment = new URLSearchParams({
      [scope.link ? 'link' : 'session']: token,
      ...(locale ? { locale } : {}),
    });
    return `${base}/connect/${encodeURIComponent(organizationId)}/#${fragment.toString()}`;
  }
}
