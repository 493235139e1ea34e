import type { FakeClock, FakeEngine } from '#fakes';
import { type RunningFake, startFake } from './running-fake.js';

export interface Application {
  id: string;
  secret: string;
}

/** The fake of a vendor at which people authorize an application of the host. */
export class AuthorizationFake {
  readonly engine: FakeEngine;
  readonly clock: FakeClock;
  readonly url: string;

  private constructor(private readonly running: RunningFake) {
    this.engine = running.engine;
    this.clock = running.clock;
    this.url = running.url;
  }

  /** @param folder of the provider */
  static async start(folder: string): Promise<AuthorizationFake> {
    return new AuthorizationFake(await startFake(folder));
  }

  /** Client id and secret of an application that the document of the fake names. */
  application(name: string): Application {
    for (const { applications } of this.engine.credentials()) {
      const found = applications?.get(name);
      if (found !== undefined) return found;
    }
    throw new Error(`${this.engine.document.name} has no application ${name}`);
  }

  /** Begins, and decides on the page of the provider as a person does. @param granted other scopes than those that are asked for @returns the address that the browser is sent back to */
  async allow(page: string, granted?: string): Promise<string> {
    return await decide(page, { decision: 'allow', ...(granted === undefined ? {} : { granted }) });
  }

  async decline(page: string): Promise<string> {
    return await decide(page, { decision: 'decline' });
  }

  /** How often the token endpoint was called. */
  get exchanges(): number {
    return this.engine.log.requests.filter(
      ({ method, path }) => method === 'POST' && /token|oauth\.v2\.access/.test(path),
    ).length;
  }

  async stop(): Promise<void> {
    await this.running.stop();
  }
}

/** The cookies that browsers got where authorizations begin, by `state`. */
const cookies = new Map<string, string>();

/** Opens the address that the provider sends a browser back to, in the browser that began. */
export async function returnToService(
  address: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const cookie = cookies.get(new URL(address).searchParams.get('state') ?? '') ?? '';
  return await fetch(address, { redirect: 'manual', headers: { cookie, ...headers } });
}

/** Opens the page of ours where an authorization begins. @returns the page of the provider that it leads to */
export async function openProviderPage(address: string): Promise<string> {
  const { status, headers } = await fetch(address, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null)
    throw new Error(`the page where an authorization begins answered ${status}`);
  const cookie = headers.getSetCookie().map((one) => one.split(';')[0]);
  cookies.set(new URL(address).searchParams.get('state') ?? '', cookie.join('; '));
  return location;
}

async function decide(page: string, decision: Record<string, string>): Promise<string> {
  const url = new URL(await openProviderPage(page));
  for (const [name, value] of Object.entries(decision)) url.searchParams.set(name, value);
  const { status, headers } = await fetch(url, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null) throw new Error(`the page answered ${status}`);
  return location;
}
