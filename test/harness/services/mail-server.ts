import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { KeyPair } from '../certificates.js';

/** A mail as it came, and as a mail program reads it. */
export interface ReceivedMail {
  recipients: string[];
  source: string;
  mail: Email;
}

export interface TestMailServerOptions {
  /** The port of a server that was closed before; any by default. */
  port?: number;
  /** Offers STARTTLS by this certificate, or, with `isImplicit`, speaks TLS from the start. */
  certificate?: KeyPair;
  isImplicit?: boolean;
  /** The only user that it takes mails of; all by default. */
  user?: { name: string; password: string };
}

/** A mail server of the package smtp-server that keeps what it takes. */
export class TestMailServer {
  readonly received: ReceivedMail[] = [];
  /** Returns the status with which a recipient is refused. */
  refuse: (recipient: string) => number | undefined = () => undefined;

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  static async start(options: TestMailServerOptions = {}): Promise<TestMailServer> {
    const { certificate, isImplicit = false, user, port = 0 } = options;
    const server = new SMTPServer({
      secure: isImplicit,
      authOptional: user === undefined,
      disabledCommands: certificate === undefined ? ['STARTTLS'] : [],
      ...(certificate && { cert: certificate.certificate, key: certificate.key }),
      onAuth: ({ username, password }, _session, done) => {
        if (username === user?.name && password === user?.password)
          done(null, { user: username ?? '' });
        else done(new Error('invalid user or password'));
      },
      onRcptTo: ({ address }, _session, done) => {
        const status = made.refuse(address);
        done(
          status === undefined
            ? null
            : Object.assign(new Error(`${address} is not taken`), { responseCode: status }),
        );
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const source = Buffer.concat(parts);
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          PostalMime.parse(source).then((mail) => {
            made.received.push({ recipients, source: source.toString(), mail });
            done();
          }, done);
        });
      },
    } satisfies SMTPServerOptions);
    server.on('error', () => undefined); // of connections that a spec breaks off
    const listening = server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    const made = new TestMailServer(server, (listening.address() as AddressInfo).port);
    return made;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((done) => this.server.close(() => done()));
  }
}
