import { describe, expect, it } from '@jest/globals';
import { printNatsPermissions } from './nats-users.js';

const usersOf = (text: string) => [...text.matchAll(/user: "([^"]+)"/g)].map(([, name]) => name);

describe('the users of NATS', () => {
  it('are those of all processes, and of each set of domains that is given', () => {
    const users = usersOf(printNatsPermissions(['ticketing,identity', 'sink, storage']));
    expect(users).toEqual(
      expect.arrayContaining(['gateway', 'connector-identity-ticketing', 'connector-sink-storage']),
    );
  });

  it('are only those of the named processes, whose passwords are then all that nats-server needs', () => {
    const processes = 'gateway, management,connector-ticketing-identity';
    const text = printNatsPermissions(['ticketing,identity'], processes);
    expect(usersOf(text)).toEqual(['gateway', 'management', 'connector-identity-ticketing']);
    expect(new Set(text.match(/\$\w+/g)).size).toBe(3);
  });

  it('name a process that is not known, and the remedy', () => {
    expect(() => printNatsPermissions([], 'connector-ticketing-identity')).toThrow(
      /no process "connector-ticketing-identity".*needs --domains/,
    );
    expect(() => printNatsPermissions(['crm'])).toThrow('There is no domain "crm"');
  });
});
