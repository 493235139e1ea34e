import type { Served, ServedRequest } from './serve-example.js';

type Params = Record<string, unknown>;
interface Envelope {
  method: string;
  params: unknown;
  auth?: string;
}

/** A monitoring system in the shape of Zabbix, with state: JSON-RPC, sessions, and errors with the status 200. */
export class Monitor {
  /** Open sessions. */
  readonly sessions = new Set<string>();
  logins = 0;
  logouts = 0;
  password = 'zbx-secret';
  readonly hosts: Params[] = ['web', 'db'].map((name, index) => ({
    hostid: String(index + 1),
    name,
    interfaces: [
      { ip: `10.0.${index}.1`, port: '10050' },
      { ip: `10.0.${index}.2`, port: '161' },
    ],
  }));

  answer({ url, body }: ServedRequest): Served {
    if (url.pathname !== '/api_jsonrpc.php') return { status: 404 };
    const call = body as Envelope;
    if (call.method === 'user.login') return this.logIn(call);
    if (call.auth === undefined || !this.sessions.has(call.auth))
      return failed('Session terminated, re-login, please.');
    switch (call.method) {
      case 'user.logout':
        this.logouts += 1;
        this.sessions.delete(call.auth);
        return done(true);
      case 'host.get': {
        const { hostids } = call.params as { hostids?: string[] };
        return done(
          this.hosts.filter(({ hostid }) => !hostids || hostids.includes(String(hostid))),
        );
      }
      case 'host.create': {
        const hostid = String(this.hosts.length + 1);
        this.hosts.push({ hostid, interfaces: [], ...(call.params as Params) });
        return done({ hostids: [hostid] });
      }
      case 'history.push':
        return done({
          response: 'success',
          data: (call.params as Params[]).map(taken(this.hosts)),
        });
      default:
        return failed(`Incorrect method "${call.method}".`);
    }
  }

  private logIn({ params }: Envelope): Served {
    this.logins += 1;
    const { username, password } = params as { username: string; password: string };
    if (username !== 'robot' || password !== this.password)
      return failed('Incorrect user name or password or account is temporarily blocked.');
    const session = `session-${this.logins}-0123456789abcdef`;
    this.sessions.add(session);
    return done(session);
  }
}

const taken =
  (hosts: readonly Params[]) =>
  ({ host }: Params) => {
    const found = hosts.find(({ name }) => name === host);
    return found
      ? { itemid: `4${String(found['hostid'])}` }
      : { error: `No host "${String(host)}".` };
  };

function done(result: unknown): Served {
  return { body: { jsonrpc: '2.0', result, id: 1 } };
}

function failed(data: string): Served {
  return {
    body: { jsonrpc: '2.0', error: { code: -32602, message: 'Invalid params.', data }, id: 1 },
  };
}
