import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ApiError, type Call, operationOf, type OperationId, type Reply } from '#contract';
import { keyOf, SealedBodies } from '#secrets';
import {
  BusServer,
  collect,
  type Envelope,
  Handles,
  Cancellation,
  InProcessTransport,
  internalCallRules,
  MessageBus,
  Serves,
  subjectOf,
} from '../index.js';

@Controller()
class Echo {
  @Handles('credentials_create')
  create({ body }: Call<'credentials_create'>): Reply<'credentials_create'> {
    return { result: body } as unknown as Reply<'credentials_create'>;
  }
}

@Controller()
class Issuer {
  @Handles('tokens_create_token')
  create({ body }: Call<'tokens_create_token'>): Reply<'tokens_create_token'> {
    if (body.name === 'wrong') throw new ApiError(409, 'the name is wrong');
    const secret = (body.name ?? '').repeat(body.fullname === 'long' ? 100_000 : 1);
    return {
      result: { primary: { access: { secret } } },
    } as unknown as Reply<'tokens_create_token'>;
  }
}

@Controller()
class SignOn {
  @Serves('sso.exchange')
  exchange({ code }: { code: string }): never {
    return { token: { access: { secret: `token of ${code}` } } } as never;
  }
}

@Module({ controllers: [Echo, Issuer, SignOn] })
class EchoModule {}

/** Records all messages, like an attacker who listens. */
class Overheard extends InProcessTransport {
  readonly asked: Buffer[] = [];
  readonly answered: Buffer[] = [];

  override async request(
    ...[subject, message, options]: Parameters<InProcessTransport['request']>
  ) {
    this.asked.push(Buffer.from(message.head), await collect(message.body));
    const answer = await super.request(subject, message, options);
    const body = await collect(answer.body);
    this.answered.push(Buffer.from(answer.head), body);
    return { head: answer.head, body };
  }
}

describe('a body with secrets', () => {
  const secret = 'hunter2-hunter2';
  const body = Buffer.from(JSON.stringify({ config: { type: 'token', secret } }));
  const envelopeOf = (operation: OperationId): Envelope => ({
    operation,
    caller: {
      tokenId: 't',
      scope: 'organization',
      organizationId: 'o',
      memberId: 'm',
      permissions: [{ permissionSet: 'administrator' }],
    },
    path: {},
    query: {},
    meta: [],
    requestId: 'r1',
    deadline: Date.now() + 5_000,
    remoteAddress: '127.0.0.1',
    userAgent: 'spec',
  });
  const key = keyOf(randomBytes(32));

  async function send(
    served: SealedBodies,
    operation: OperationId = 'credentials_create',
    sent: Buffer = body,
  ) {
    const subject = subjectOf(operationOf(operation), undefined);
    const envelope = envelopeOf(operation);
    const transport = new Overheard();
    const strategy = new BusServer(transport, served);
    const app = await NestFactory.createMicroservice(EchoModule, { strategy, logger: false });
    await app.listen();
    const bus = new MessageBus(transport, new SealedBodies(key));
    const reply = await bus.request(subject, envelope, sent, new Cancellation());
    const answer = (await collect(reply.body)).toString();
    await app.close();
    return {
      status: reply.status,
      answer,
      asked: Buffer.concat(transport.asked).toString('latin1'),
      answered: Buffer.concat(transport.answered).toString('latin1'),
    };
  }

  it('reaches its handler, and nobody who listens', async () => {
    const { status, answer, asked } = await send(new SealedBodies(key));
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toEqual({ result: { config: { type: 'token', secret } } });
    expect(asked).not.toContain(secret);
  });

  it.each(['short', 'long'])(
    'is given out to who asked, and nobody who listens: %s',
    async (fullname) => {
      const token = Buffer.from(JSON.stringify({ name: secret, fullname }));
      const given = await send(new SealedBodies(key), 'tokens_create_token', token);
      const shown = JSON.parse(given.answer) as {
        result: { primary: { access: { secret: string } } };
      };
      expect(shown.result.primary.access.secret).toContain(secret);
      expect(given.asked).toContain(secret); // requests of this operation contain no secret
      expect(given.answered).toContain('200');
      expect(given.answered).not.toContain(secret);
      const wrong = Buffer.from(JSON.stringify({ name: 'wrong' }));
      const refused = await send(new SealedBodies(key), 'tokens_create_token', wrong);
      expect([refused.status, refused.answer]).toEqual([409, expect.stringContaining('is wrong')]);
    },
  );

  it('travels sealed in both directions of a sign-on', async () => {
    const transport = new Overheard();
    const strategy = new BusServer(transport, new SealedBodies(key));
    const app = await NestFactory.createMicroservice(EchoModule, { strategy, logger: false });
    await app.listen();
    const bus = new MessageBus(transport, new SealedBodies(key));
    const given = await bus.call('sso.exchange', { code: secret, organizationId: 'o' } as never);
    expect(given).toEqual({ token: { access: { secret: `token of ${secret}` } } });
    const heard = Buffer.concat([...transport.asked, ...transport.answered]).toString('latin1');
    expect(heard).not.toContain(secret);
    await app.close();
    const open = Object.entries(internalCallRules).filter(([, { hasSecrets }]) => !hasSecrets);
    expect(open.map(([name]) => name)).toEqual([
      'management.ping',
      'tokens.introspect',
      'hooks.revoke_token',
      'hooks.unregister',
      'bridges.report',
      'connect.origins',
      'hooks.public_url',
      'audit.gateway',
      'integrations.verify',
      'changes.confirm',
      'integrations.forget',
      'integrations.resolve',
      'credentials.renew', // credentials are encrypted as in the database
      'credentials.revoke',
      'sso.saml_metadata',
    ]);
  });

  it('does not open under another key', async () => {
    const { status, answer } = await send(new SealedBodies(keyOf(randomBytes(32))));
    expect(status).toBe(500);
    expect(answer).not.toContain(secret);
  });
});
