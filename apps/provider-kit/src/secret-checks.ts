import { Logger } from '@nestjs/common';
import type { Check } from './named-check.js';
import { integrationOf, type NamedFixture, type NamedVerification } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { canary, type Replay, type ReplayOptions, withReplay } from './replay.js';
import type { Arrived, Given } from './provider-server.js';
import type { Ran } from './engine.js';

/** Checks with a provider that repeats the request in every response that no secret is shown on our side. */
export function secretChecks(
  folder: ProviderFolder,
  fixtures: readonly (NamedFixture | NamedVerification)[],
): Check[] {
  const works = fixtures.filter((fixture) => fixture.case === 'works');
  const all = async (options: ReplayOptions, of = works) =>
    (await Promise.all(of.map((fixture) => leaks(folder, fixture, options)))).flat();
  // A patch that does not fit quotes the record, which is the caller's own data like every result.
  const unpatched = works.filter(({ operation }) => operation?.method !== 'PATCH');
  return [
    {
      name: 'a secret that the provider repeats is in no api/response and no mapping/trace',
      run: () => all({ change: repeated }),
    },
    {
      name: 'a secret that the provider repeats is in no error and no log',
      run: () => all({ first: (arrived) => failure(arrived, 400) }),
    },
    {
      name: 'a secret that the provider repeats while it fails is in no error and no log',
      run: () => all({ first: (arrived) => failure(arrived, 500) }),
    },
    {
      name: 'a secret that the provider repeats where nobody expects it is in no error and no log',
      run: async () => [
        ...(await all({ change: unexpected }, unpatched)),
        ...(await all({ change: asText })),
      ],
    },
  ];
}

/** Adds the headers of the request to an object. */
function repeated(arrived: Arrived, given: Given): Given {
  if (!/json/.test(given.headers?.['content-type'] ?? '') || given.bytes.length === 0) return given;
  const body = JSON.parse(given.bytes.toString()) as unknown;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return given;
  return { ...given, bytes: Buffer.from(JSON.stringify({ ...body, kit_echo: sent(arrived) })) };
}

function failure(arrived: Arrived, status: number): Given {
  const words = Object.values(sent(arrived)).join(' ');
  const body = { message: words, errors: [words], errorMessages: [words], sent: sent(arrived) };
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-echo': words.replaceAll('\n', ' ') },
    bytes: Buffer.from(JSON.stringify(body)),
  };
}

/** Replaces every text, at any depth, by the request. */
function unexpected(arrived: Arrived, given: Given): Given {
  if (!/json/.test(given.headers?.['content-type'] ?? '')) return given;
  const words = Object.values(sent(arrived)).join(' ');
  const body = JSON.parse(given.bytes.toString(), (_key, value: unknown) =>
    typeof value === 'string' ? words : value,
  ) as unknown;
  return { ...given, bytes: Buffer.from(JSON.stringify(body)) };
}

/** Sends a text in place of an object or a list. */
function asText(arrived: Arrived, given: Given): Given {
  if (!/json/.test(given.headers?.['content-type'] ?? '')) return given;
  return { ...given, bytes: Buffer.from(JSON.stringify(Object.values(sent(arrived)).join(' '))) };
}

function sent({ headers, url }: Arrived): Record<string, string> {
  return { ...headers, url: url.href };
}

async function leaks(
  folder: ProviderFolder,
  fixture: NamedFixture | NamedVerification,
  options: ReplayOptions,
): Promise<string[]> {
  return await capturingLog((logged) =>
    withReplay(folder, fixture, options, async (replay) => {
      const ran = await replay.run(undefined, ['api/response(all)', 'mapping/trace(10)']);
      const found = leaksOf(replay, ran, logged).map((fault) => `${fixture.label}: ${fault}`);
      // A client certificate is part of the connection, and in no request.
      return replay.arrived.some(carriesSecret) || presentsCertificateOnly(folder)
        ? found
        : [...found, `${fixture.label}: the secret was not sent at all`];
    }),
  );
}

/** True where the configuration has no credential but client certificates. */
function presentsCertificateOnly(folder: ProviderFolder): boolean {
  const { type: _provider, ...configuration } = integrationOf(folder);
  const types = Object.values(configuration).flatMap((value) => {
    const type = (value as { type?: unknown } | null)?.type;
    return typeof type === 'string' ? type : [];
  });
  return types.length > 0 && types.every((type) => type === 'tls_certificate');
}

const logs = new Set<string[]>();

/** Runs work, and collects the log of the process meanwhile. */
export async function capturingLog<T>(work: (logged: readonly string[]) => Promise<T>): Promise<T> {
  const logged: string[] = [];
  const keep = (...parts: unknown[]) => {
    const line = parts.map(String).join(' ');
    for (const one of logs) one.push(line);
  };
  logs.add(logged);
  Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep, verbose: keep });
  try {
    return await work(logged);
  } finally {
    logs.delete(logged);
    if (logs.size === 0) Logger.overrideLogger(true);
  }
}

/** Finds places that show the secret. @returns their descriptions; the caller's own record may quote anything */
export function leaksOf(
  replay: Replay,
  { answer, error }: Ran,
  logged: readonly string[],
): string[] {
  const { result: _own, ...said } = (answer.body ?? {}) as Record<string, unknown>;
  const { file: _ownFile, ...withoutFile } = answer;
  const shown: Record<string, string> = {
    'the response': JSON.stringify({ ...withoutFile, body: said }),
    'the error': describe(error),
    'the log': logged.join('\n'),
  };
  return Object.entries(shown)
    .filter(([, text]) => forms(replay).some((form) => text.includes(form)))
    .map(([name, text]) => `${name} shows the secret: ${text.slice(0, 500)}`);
}

/** Returns the response with the request in a header and, if its form allows it, in its body. */
export function repeatsRequest(arrived: Arrived, given: Given): Given {
  const words = Object.values(sent(arrived)).join(' ').replaceAll('\n', ' ');
  const headers = { ...given.headers, 'x-echo': words };
  return repeated(arrived, { ...given, headers });
}

export function carriesSecret(arrived: Arrived): boolean {
  return Object.values(sent(arrived)).some(holds);
}

/** The secret itself, and in the form that was sent: in base64 with the name before it, or as a signature. */
function forms(replay: Replay): string[] {
  const sentForms = replay.arrived.flatMap(({ headers: { authorization = '' } }) => {
    const signature = signatureIn(authorization);
    const token = authorization.split(' ').at(-1) ?? '';
    return [...(signature === undefined ? [] : [signature]), ...(holds(token) ? [token] : [])];
  });
  return [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64'), ...sentForms];
}

/** The secret, or a signature that only it could make. */
function holds(text: string): boolean {
  return (
    text.includes(canary) ||
    signatureIn(text) !== undefined ||
    text.split(' ').some((word) => Buffer.from(word, 'base64').toString().includes(canary))
  );
}

function signatureIn(text: string): string | undefined {
  return /^AWS4-HMAC-SHA256 .*Signature=([0-9a-f]{64})/m.exec(text)?.[1];
}

/** An error as logged, with its causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.stack ?? error.message}\n${describe(error.cause)}`;
}
