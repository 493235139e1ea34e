import { OverFake } from './over-fake.js';

/** The document of Tenable over its fake, whose clock goes on with every request. */
export class TenableOverFake extends OverFake {
  /** Time of a request to the fake, in which its jobs go on. */
  requestMs = 150;

  constructor(type: string) {
    super(new URL('../../libs/providers/tenable/', import.meta.url), type, {
      config: {},
      credential: ({ secret }) => ({ type: 'token', secret }),
    });
    this.advance();
  }

  override reset(): void {
    super.reset();
    this.advance();
  }

  private advance(): void {
    const { fake } = this;
    const handle = fake.handle.bind(fake);
    fake.handle = (request) => {
      this.now += this.requestMs;
      return handle(request);
    };
  }
}

/** A device as callers send it. */
export function deviceOf(hostname: string, ip: string, more: object = {}): object {
  return {
    ...{ activity_id: 2, category_uid: 5, class_uid: 5001, type_uid: 500102, severity_id: 1 },
    time: Date.parse('2026-11-22T00:00:00Z'),
    metadata: { version: '1.3.0', product: { name: 'Tests', vendor_name: 'Onefold' } },
    device: { type_id: 0, hostname, ip, ...more },
  };
}
