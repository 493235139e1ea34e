import { OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
/** Time of a request to the fake, in which its jobs go on. */
export const requestMs = 150;

/** Runs a provider of the vendor over its fake, whose clock goes on with every request. */
export function overFake(type: string): OverFake {
  return new OverFake(folder, type, { requestMs });
}

/** A device as callers send it. */
export function deviceOf(hostname: string, ip: string, more: object = {}): object {
  return {
    activity_id: 2,
    category_uid: 5,
    class_uid: 5001,
    type_uid: 500102,
    severity_id: 1,
    time: Date.parse('2026-11-22T00:00:00Z'),
    metadata: { version: '1.3.0', product: { name: 'Tests', vendor_name: 'Onefold' } },
    device: { type_id: 0, hostname, ip, ...more },
  };
}
