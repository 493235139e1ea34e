import type { Attack } from './attack.js';
import { randomFraming } from './framing.js';
import { hostileHeaders } from './headers.js';
import { hostileText } from './hostile-values.js';
import { hostileBodies, mutateText } from './mutate-text.js';
import { percentEncode, toBytes } from './percent.js';
import type { Random } from './random.js';

/** Address of single sign-on, which is not an operation of the contract, with its parameters. */
interface Step {
  method: 'GET' | 'POST';
  path: string;
  query?: readonly string[];
  form?: readonly string[];
  json?: string;
}

const signOn = 'AAAAAAAAAAAAAAAAAAAAAA';
const response = Buffer.from(
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"/>',
).toString('base64');

const steps: readonly Step[] = [
  { method: 'GET', path: 'start/{{ssoId}}', query: ['return_to=http://127.0.0.1/', 'state=x'] },
  { method: 'GET', path: 'oidc/callback', query: [`state=${signOn}`, 'code=x', 'iss=x'] },
  {
    method: 'POST',
    path: 'saml/acs',
    form: [`RelayState=${signOn}`, `SAMLResponse=${percentEncode(response)}`],
  },
  { method: 'GET', path: 'saml/metadata' },
  { method: 'GET', path: 'finish', query: [`sign_on=${signOn}`, 'code=x'] },
  { method: 'POST', path: 'exchange', json: '{"code":"x"}' },
];

/** Returns a request to an address of single sign-on with one to three malformed parts. */
export function signOnAttack(random: Random): Attack {
  const { method, path, query = [], form, json } = random.pick(steps);
  const organization = random.weighted([
    [6, '{{organizationId}}'],
    [1, '{{subOrganizationId}}'],
    [1, percentEncode(hostileText(random))],
  ]);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = json ?? form?.join('&');
  let attack: Attack = {
    operation: 'sign_on',
    caller: 'nobody',
    method,
    path: `/sso/${organization}/${path}`,
    query: random.chance(0.8) ? query : [],
    headers: text === undefined ? [] : [['content-type', type]],
    ...(text === undefined ? {} : { body: toBytes(text) }),
    framing: 'content-length',
  };
  for (let changes = random.below(3); changes >= 0; changes -= 1) attack = malform(random, attack);
  return attack;
}

function malform(random: Random, attack: Attack): Attack {
  const { body } = attack;
  const hasBody = body !== undefined;
  const cookie = `onefold_sign_on_${signOn}=${percentEncode(hostileText(random))}`;
  return random.weighted<() => Attack>([
    [4, () => ({ ...attack, query: attack.query.map((one) => malformParameter(random, one)) })],
    [2, () => ({ ...attack, path: mutateText(random, attack.path).replace(/[^\x21-\xff]/g, '') })],
    [1, () => ({ ...attack, headers: [...attack.headers, ...hostileHeaders(random)] })],
    [1, () => ({ ...attack, headers: [...attack.headers, ['cookie', cookie]] })],
    [hasBody ? 6 : 0, () => ({ ...attack, body: mutateText(random, body ?? '') })],
    [hasBody ? 1 : 0, () => ({ ...attack, body: random.pick(hostileBodies) })],
    [1, () => ({ ...attack, framing: randomFraming(random) })],
    [0.5, () => ({ ...attack, method: random.pick(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) })],
  ])();
}

function malformParameter(random: Random, parameter: string): string {
  const [name = ''] = parameter.split('=');
  return random.pick([
    parameter,
    `${parameter}&${parameter}`,
    `${name}[]=x`,
    `${name}=${percentEncode(hostileText(random))}`,
    mutateText(random, parameter).replace(/[^\x21-\x7e]/g, ''),
  ]);
}
