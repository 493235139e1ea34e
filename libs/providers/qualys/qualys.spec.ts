import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverSystem, Receiver } from '#test/harness';

const hosts = '/api/5.0/fo/asset/host/';
const detections = '/api/5.0/fo/asset/host/vm/detection/';
const knowledge = '/api/4.0/fo/knowledge_base/vuln/';

const detection = (qid: number, more = '') =>
  `<DETECTION><QID>${qid}</QID><SEVERITY>3</SEVERITY><STATUS>Active</STATUS>${more}</DETECTION>`;
const host = (id: number, found = '') =>
  `<HOST><ID>${id}</ID><IP>192.0.2.${id}</IP>${found === '' ? '' : `<DETECTION_LIST>${found}</DETECTION_LIST>`}</HOST>`;
const found = (list: string, more = '') =>
  `<HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE>${list}${more}</RESPONSE></HOST_LIST_VM_DETECTION_OUTPUT>`;
const listed = (list: string) => found(`<HOST_LIST>${list}</HOST_LIST>`);
const known = (list = '') =>
  `<KNOWLEDGE_BASE_VULN_LIST_OUTPUT><RESPONSE>${list === '' ? '' : `<VULN_LIST>${list}</VULN_LIST>`}</RESPONSE></KNOWLEDGE_BASE_VULN_LIST_OUTPUT>`;
const refusal = (code: number, text: string) =>
  `<?xml version="1.0"?><!DOCTYPE SIMPLE_RETURN SYSTEM "x"><SIMPLE_RETURN><RESPONSE><CODE>${code}</CODE><TEXT>${text}</TEXT></RESPONSE></SIMPLE_RETURN>`;

// Answers by the lists of elements and errors of the vendor's documentation, in the shapes that XML has and JSON has not; values are our own.
describe('what Qualys returns and its fake does not', () => {
  let receiver: Receiver;
  let qualys: OverSystem;
  let answers: Record<string, string>;
  let status: number;
  let asked: { path: string; body: string }[];

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    const url = receiver.url.replace(/\/$/, '');
    const credential = { type: 'basic', username: 'ada', password: 'secret' };
    qualys = new OverSystem(new URL('./', import.meta.url), 'vulnerabilities_qualys_cloud', {
      url,
      credential,
    });
  });
  beforeEach(() => {
    answers = { [knowledge]: known() };
    status = 200;
    asked = [];
    receiver.answer = ({ path, body }, response) => {
      asked.push({ path, body: body.toString() });
      response.writeHead(status, { 'content-type': 'text/xml', 'x-ratelimit-towait-sec': '0' });
      response.end(answers[path.split('?')[0] ?? '']);
    };
  });
  afterAll(async () => {
    await qualys.close();
    await receiver.stop();
  });

  const read = async (operation: 'query_findings' | 'query_assets', query: Json = {}) =>
    await qualys.call(`vulnerabilities_${operation}`, { query });
  const uids = async () => {
    const { body } = await read('query_findings');
    return (body['result'] as { finding: Json }[]).map(({ finding }): unknown => finding['uid']);
  };

  it.each([
    ['no list', found('')],
    ['an empty list', listed('')],
    ['a host without detections', listed(host(1))],
    ['comments alone', found('<!-- keep-alive -->')],
  ])('takes %s for an empty list', async (_name, text) => {
    answers[detections] = text;
    expect(await read('query_findings')).toMatchObject({ status: 200, body: { result: [] } });
    expect(asked).toHaveLength(1);
  });

  it('reads one element as a list of one', async () => {
    answers[detections] = listed(host(1, detection(7)));
    expect(await uids()).toEqual(['1:7:0']);
    answers[detections] = listed(host(1, detection(7) + detection(8)) + host(2, detection(7)));
    expect(await uids()).toEqual(['1:7:0', '1:8:0', '2:7:0']);
  });

  it('tells detections of a QID on a host apart where Qualys gives them no id', async () => {
    const places = ['<PORT>80</PORT><PROTOCOL>tcp</PROTOCOL>', '<INSTANCE>a</INSTANCE>', ''];
    answers[detections] = listed(host(1, places.map((one) => detection(7, one)).join('')));
    expect(new Set(await uids()).size).toBe(3);
  });

  it('has the title of the KnowledgeBase, which may be in CDATA, or else the QID', async () => {
    const names = async () => {
      const { body } = await read('query_findings');
      return (body['result'] as { finding: Json }[]).map(
        ({ finding }): unknown => finding['title'],
      );
    };
    answers[detections] = listed(host(1, detection(7) + detection(8)));
    answers[knowledge] = known('<VULN><QID>7</QID><TITLE><![CDATA[A <b> & c]]></TITLE></VULN>');
    expect(await names()).toEqual(['A <b> & c', 'QID 8']);
  });

  it('asks the KnowledgeBase for 500 QIDs at once', async () => {
    const qids = [...new Array(501).keys()].map((at) => at + 1);
    answers[detections] = listed(host(1, qids.map((qid) => detection(qid)).join('')));
    expect(await uids()).toHaveLength(50);
    const ids = asked
      .slice(1)
      .map(({ body }) => new URLSearchParams(body).get('ids')?.split(',').length);
    expect(ids).toEqual([500, 1]);
  });

  it('goes on behind any warning with an address', async () => {
    const url = `https://x.example${detections}?action=list&amp;truncation_limit=1&amp;id_min=2`;
    const cut = `<WARNING><CODE>1980</CODE><TEXT>more</TEXT><URL>${url}</URL></WARNING>`;
    const next = async (): Promise<unknown> =>
      (await read('query_findings', { limit: 1 })).body['cursor'];
    const list = `<HOST_LIST>${host(1, detection(7))}</HOST_LIST>`;
    const cursors: unknown[] = [];
    for (const warning of [
      cut,
      `<WARNING><TEXT>old</TEXT></WARNING>${cut}`,
      `<WARNING_LIST>${cut}</WARNING_LIST>`,
    ]) {
      answers[detections] = found(list, warning);
      cursors.push(typeof (await next()));
    }
    expect(cursors).toEqual(['string', 'string', 'string']);
    answers[detections] = found(list, '<WARNING><CODE>1980</CODE><TEXT>more</TEXT></WARNING>');
    expect(await read('query_findings')).toMatchObject({ status: 502 });
  });

  it.each([
    ['a list that breaks off', listed(host(1, detection(7))).slice(0, -60)],
    ['a page of HTML', '<html><body>Sign in</body></html>'],
    ['an empty answer', ''],
    ['a text', 'Service temporarily unavailable'],
  ])('is an error for %s, and no empty list', async (_name, text) => {
    answers[detections] = text;
    expect(await read('query_findings')).toMatchObject({ status: 502 });
  });

  it('reads a list of ids', async () => {
    answers[hosts] =
      '<HOST_LIST_OUTPUT><RESPONSE><ID_SET><ID>3</ID><ID_RANGE>7-9</ID_RANGE></ID_SET></RESPONSE></HOST_LIST_OUTPUT>';
    const { body } = await read('query_assets');
    const ids = (body['result'] as { device: Json }[]).map(({ device }): unknown => device['uid']);
    expect(ids).toEqual(['3', '7', '8', '9']);
  });

  it.each([
    [200, 2000, 'Bad Login/Password', 502],
    [200, 2001, 'This account has expired.', 502],
    [200, 2012, 'User license is not authorized to run this API.', 502],
    [200, 1905, 'parameter ids has invalid value', 400],
    [400, 1905, 'parameter ids has invalid value', 400],
    [200, 1999, 'Maintenance', 503],
    [409, 1960, 'This API cannot be run again until 1 currently running', 429],
    [409, 1965, 'This API cannot be run again for another 2 hours', 429],
    [400, 1965, 'This API cannot be run again for another 2 hours', 429],
    [409, 1920, 'The requested operation is blocked', 429],
  ])('with the status %d and the code %d (%s) is a %d', async (given, code, text, expected) => {
    status = given;
    answers[hosts] = refusal(code, text);
    const { status: got, body } = await read('query_assets');
    expect(got).toBe(expected);
    expect(JSON.stringify(body)).toContain(text);
  });
});
