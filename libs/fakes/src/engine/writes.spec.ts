import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: acme
${errorsOfTests}
  wrong_state: { status: 422, message: 'cannot {this.error.detail}' }
collections:
  devices:
    from: this.world.devices
    id: this.id
    also: [hostname]
    row: |
      root.id = this.it.key
      root.hostname = this.it.hostname
      root.state = "normal"
  log: {}
  exports: {}
routes:
  GET /devices/{id}:
    with: { device: { from: devices, id: this.path.id, missing: not_found } }
    body: root = this.with.device
  GET /log: { list: log, body: 'root = this.rows' }
  POST /devices:
    create: devices
    row: |
      root = this.body
      root.id = "x" + this.seq.string()
      root.uuid = this.new_id
    then:
      - create: log
        row: 'root = {"id": this.new_id, "event": "created", "device": this.result.id}'
    status: 201
    headers: { Location: '"/devices/" + this.result.id' }
    body: root = this.result.row
  PUT /devices/{id}:
    put: devices
    id: this.path.id
    row: |
      root = this.body
      root.id = @id | this.path.id
    status: if this.result.outcome == "created" { 201 } else { 200 }
    body: root = this.result.row
  PATCH /devices/{id}:
    change: devices
    id: this.path.id
    missing: not_found
    row: root = root.assign(this.body)
    body: root = this.result.row
  DELETE /devices/{id}: { delete: devices, id: this.path.id, missing: not_found, status: 204 }
  POST /actions:
    each: this.body.ids
    status: 'if this.results.any(r -> r.row != null) { 202 } else { 404 }'
    write: &actions
      - when: this.query.action == "contain"
        change: devices
        id: this.item
        checks: { that: this.row == null || this.row.state == "normal", error: wrong_state, detail: contain it twice }
        row: root.state = "pending"
        later: { after: 5, row: root.state = "contained" }
      - when: this.query.action == "lift"
        change: devices
        id: this.item
        row: root.state = "normal"
        later: { after: 5, row: root.state = "lifted" }
    body: 'root = this.results.map_each(r -> {"item": r.item, "outcome": r.outcome, "error": r.error.message})'
  POST /atomic:
    each: this.body.ids
    atomic: true
    write: *actions
    body: root.count = this.results.length()
  POST /exports:
    with: { active: { from: exports, where: this.row.kind == this.body.kind && this.now_ms - this.row.created < 10000 } }
    checks: { that: this.with.active == null, error: conflict, detail: '{this.with.active.id}' }
    create: exports
    row: 'root = {"id": this.new_id, "kind": this.body.kind, "created": this.now_ms, "newest": this.newest}'
    body: root.export = this.result.id
  GET /exports/{id}:
    with: { job: { from: exports, id: this.path.id, missing: not_found } }
    let: { age: this.now_ms - this.with.job.created }
    body: root.status = if this.let.age < 2000 { "QUEUED" } else if this.let.age < 4000 { "PROCESSING" } else { "FINISHED" }
  GET /exports/{id}/{chunk}:
    with: { job: { from: exports, id: this.path.id, missing: not_found } }
    list: { from: devices, where: this.number <= this.with.job.newest, page: { kind: number, at: this.path.chunk, default: 10 } }
    body: root.rows = this.rows.map_each(row -> row.id)
  POST /bulk:
    input: { kind: ndjson, pairs: true, single: this.head.delete != null }
    each: this.body
    write:
      - { when: this.item.head.create != null, create: devices, id: this.item.head.create.id, row: root = this.item.row }
      - { when: this.item.head.delete != null, delete: devices, id: this.item.head.delete.id }
    body: 'root.items = this.results.map_each(r -> {"outcome": r.outcome, "error": r.error.name})'
`;

const state = async (fake: TestFake, id: string) =>
  ((await fake.call(`GET /devices/${id}`)).body as { state: string }).state;

describe('a record', () => {
  it('is read by its id or by another field, and missing in the words of the vendor', async () => {
    const fake = new TestFake(source);
    expect((await fake.call('GET /devices/d3')).body.hostname).toBe('WS-03');
    expect((await fake.call('GET /devices/WS-03')).body.id).toBe('d3');
    const missing = await fake.call('GET /devices/d99');
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ error: 'not_found', message: 'not found: d99' });
  });

  it('is created with ids that can be repeated, and with what follows from it', async () => {
    const [one, other] = await Promise.all(
      [new TestFake(source), new TestFake(source)].map((fake) =>
        fake
          .call('POST /devices', { body: { hostname: 'NEW', state: 'new' } })
          .then((answer) => ({ fake, answer })),
      ),
    );
    expect(one?.answer.status).toBe(201);
    expect(one?.answer.body).toMatchObject({ id: 'x26', hostname: 'NEW' });
    expect(one?.answer.body.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(one?.answer.body).toEqual(other?.answer.body);
    expect(one?.answer.headers['location']).toBe('/devices/x26');
    const log = await one?.fake.call('GET /log');
    expect(log?.body).toMatchObject([{ event: 'created', device: 'x26' }]);
  });

  it('is put, changed and deleted', async () => {
    const fake = new TestFake(source);
    expect((await fake.call('PUT /devices/n1', { body: { state: 'a' } })).status).toBe(201);
    expect((await fake.call('PUT /devices/n1', { body: { state: 'b' } })).status).toBe(200);
    const changed = await fake.call('PATCH /devices/d1', { body: { state: 'odd' } });
    expect(changed.body).toEqual({ id: 'd1', hostname: 'WS-01', state: 'odd' });
    expect(await state(fake, 'n1')).toBe('b');
    expect((await fake.call('DELETE /devices/d1')).status).toBe(204);
    expect((await fake.call('GET /devices/d1')).status).toBe(404);
    expect((await fake.call('GET /devices/WS-01')).status).toBe(404);
    expect((await fake.call('DELETE /devices/d1')).status).toBe(404);
    expect(await state(new TestFake(source), 'd1')).toBe('normal');
  });
});

describe('a change that comes true later', () => {
  it('does when its time has passed', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /actions?action=contain', { body: { ids: ['d1'] } });
    expect(await state(fake, 'd1')).toBe('pending');
    fake.advance(5);
    expect(await state(fake, 'd1')).toBe('contained');
  });

  it('is replaced by another one, and survives a change of something else', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /actions?action=contain', { body: { ids: ['d1', 'd2'] } });
    await fake.call('POST /actions?action=lift', { body: { ids: ['d1'] } });
    await fake.call('PATCH /devices/d2', { body: { hostname: 'NEW' } });
    fake.advance(6);
    expect(await state(fake, 'd1')).toBe('lifted');
    expect((await fake.call('GET /devices/d2')).body).toEqual({
      id: 'd2',
      hostname: 'NEW',
      state: 'contained',
    });
  });
});

describe('a batch', () => {
  it('tells what became of each item', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /actions?action=contain', { body: { ids: ['d2'] } });
    const ids = ['d1', 'd2', 'd99'];
    const answer = await fake.call('POST /actions?action=contain', { body: { ids } });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual([
      { item: 'd1', outcome: 'changed', error: null },
      { item: 'd2', outcome: 'refused', error: 'cannot contain it twice' },
      { item: 'd99', outcome: 'missing', error: null },
    ]);
    const skipped = await fake.call('POST /actions?action=dance', { body: { ids: ['d1'] } });
    expect(skipped.status).toBe(404);
    expect(skipped.body[0].outcome).toBe('skipped');
  });

  it('that is atomic takes everything back at the first refusal', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /actions?action=contain', { body: { ids: ['d2'] } });
    const answer = await fake.call('POST /atomic?action=contain', { body: { ids: ['d1', 'd2'] } });
    expect(answer.status).toBe(422);
    expect(await state(fake, 'd1')).toBe('normal');
    const fine = await fake.call('POST /atomic?action=contain', { body: { ids: ['d1', 'd3'] } });
    expect(fine.body).toEqual({ count: 2 });
    expect(await state(fake, 'd1')).toBe('pending');
  });

  it('of NDJSON pairs lines', async () => {
    const lines = [
      { create: { id: 'n1' } },
      { state: 'made' },
      { delete: { id: 'd1' } },
      { create: { id: 'd2' } },
      {},
    ];
    const fake = new TestFake(source);
    const answer = await fake.call('POST /bulk', {
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    expect(answer.body.items).toEqual([
      { outcome: 'created', error: null },
      { outcome: 'deleted', error: null },
      { outcome: 'refused', error: 'conflict' },
    ]);
    expect(await state(fake, 'n1')).toBe('made');
  });
});

describe('a job', () => {
  it('is done when time has passed, and gives what there was when it began', async () => {
    const fake = new TestFake(source);
    const { body } = await fake.call('POST /exports', { body: { kind: 'a' } });
    const status = async () =>
      (await fake.call(`GET /exports/${body.export}`)).body.status as string;
    expect(await status()).toBe('QUEUED');
    fake.advance(2);
    expect(await status()).toBe('PROCESSING');
    fake.advance(2);
    expect(await status()).toBe('FINISHED');
    await fake.call('POST /devices', { body: { hostname: 'LATE' } });
    const last = await fake.call(`GET /exports/${body.export}/3`);
    expect(last.body.rows).toEqual(['d21', 'd22', 'd23', 'd24', 'd25']);
  });

  it('of the same kind is refused while one runs', async () => {
    const fake = new TestFake(source);
    const first = await fake.call('POST /exports', { body: { kind: 'a' } });
    const second = await fake.call('POST /exports', { body: { kind: 'a' } });
    expect(second.body.message).toBe(`already exists: ${first.body.export}`);
    expect((await fake.call('POST /exports', { body: { kind: 'b' } })).status).toBe(200);
    fake.advance(11);
    expect((await fake.call('POST /exports', { body: { kind: 'a' } })).status).toBe(200);
  });
});
