import { describe, expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

const right = `provider: custom_rpc
version: 1.0.0
fullname: RPC
vendor: Acme
configuration: { properties: { url: { type: string } } }
credentials:
  credential:
    basic:
      send: session
      login: { use: rpc, with: root.user = this.credential.username }
      token: this.body.token
      as: { send: header, name: x-token, value: this.session }
      logout: { method: DELETE, path: /session }
http: { base_url: this.config.url }
calls:
  rpc: { method: POST, path: /rpc, body: root = this.input, result: this.body.result }
operations:
  custom_query:
    steps:
      - name: list
        use: rpc
        with: root.limit = this.limit
    rows: this.steps.list
`;

function faultsOf(text: string): string[] {
  try {
    compileProvider(text);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

describe('calls that others use', () => {
  it('are right as they are', () => {
    expect(faultsOf(right)).toEqual([]);
  });

  it.each([
    [
      'use: rpc\n',
      'use: rcp\n',
      [
        '21:14 there is no call "rcp"',
        '20:9 a step must have exactly one of path, url and function',
      ],
    ],
    ['use: rpc\n', 'path: /rpc\n', ['22:9 it uses no call']],
    ['this.limit', 'this.limt', ['22:33 this.limt does not exist here']],
    ['root = this.input', 'root = this.inptu', ['16:54 this.inptu does not exist here']],
    ['result: this.body.result', 'result: this.bdy.result', ['16:74 this.bdy does not exist here']],
    ['this.credential.username', 'this.session', ['10:49 this.session does not exist here']],
    ['value: this.session', 'value: this.sesion', ['12:54 this.sesion does not exist here']],
    ['token: this.body.token', 'token: this.steps.token', ['11:19 this.steps does not exist here']],
    ['{ method: DELETE, path: /session }', '{ method: DELETE }', ['13:7 the call has no path']],
    [
      'path: /rpc, body',
      'path: /rpc, url: this.config.url, body',
      ['16:3 a call can have only one of path and url'],
    ],
  ])('are checked: %j as %j', (good, bad, expected) => {
    expect(faultsOf(right.replace(good, bad))).toEqual(expect.arrayContaining(expected));
  });

  it('give way to the keys of the request, and their checks hold as well', () => {
    const text = right
      .replace(
        'result: this.body.result',
        'result: this.body.result, checks: [{ that: this.body.ok, status: 502, message: this.body.error }]',
      )
      .replace(
        '        use: rpc\n',
        `        use: rpc
        repeatable: true
        method: PUT
        checks: [{ that: 'this.body.result != null', status: 404, message: '"none"' }]
`,
      );
    const [step] = compileProvider(text).operations.get('custom_query')?.steps ?? [];
    expect(step).toMatchObject({ method: 'PUT', repeatable: true });
    expect(step?.checks.map(({ status }) => status)).toEqual([502, 404]);
    expect(step?.path(() => null)).toBe('/rpc');
  });
});
