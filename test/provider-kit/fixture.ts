import { mkdirSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { type Operation, type OperationId, operationOf, operations } from '#contract';
import type { ProviderFolder } from './folders.js';
import type { Body } from './message.js';

/** What a caller asks of us. */
export interface OurRequest {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** What is uploaded, as the part of the request that the contract has for it. */
  file?: Body & { filename: string; type: string };
}

/** What the caller gets: an answer of the contract, or a Problem. */
export interface OurAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of a body: a file that is handed on. */
  file?: Body;
}

export interface TheirRequest extends Body {
  method: string;
  url: string;
  type?: string;
}

export interface TheirResponse extends Body {
  status: number;
  headers?: Record<string, string>;
}

/** One call of the provider. */
export interface Exchange {
  request: TheirRequest;
  response: TheirResponse;
  /** Not said by the provider, but what its documentation says that it says. */
  from_documentation?: true;
}

interface Origin {
  /** Of the scaffold, exchanged with nobody: `record` writes the real one over it. */
  example?: true;
  /** When it was recorded: what the engine then takes for now. */
  at: string;
}

/** A call of an operation with everything that the provider said, and what comes of it. */
export interface Fixture extends Origin {
  request: OurRequest;
  /** Pages of the provider have at most so many rows, that there are several. */
  page_size?: number;
  exchanges: Exchange[];
  /** Of a call. */
  answer?: OurAnswer;
  /** Of a walk over all pages: the ids of each. */
  pages?: string[][];
}

export interface NamedFixture extends Fixture {
  file: string;
  operation: Operation;
  case: string;
}

/** A try of the configuration: what `verify` of the document calls, and what comes of it. */
export interface VerificationFixture extends Origin {
  exchanges: Exchange[];
  answer: OurAnswer;
}

export interface NamedVerification extends VerificationFixture {
  file: string;
  case: string;
  operation?: undefined;
  page_size?: undefined;
}

/** Where a secret stood when a fixture was recorded. */
export const secretMark = '[secret]';
export const integrationFile = 'fixtures/integration.yaml';

/** An answer as it is compared: no two cursors are the same text. */
export function comparable(answer: OurAnswer): OurAnswer {
  const { cursor } = (answer.body ?? {}) as { cursor?: string };
  if (cursor === undefined || cursor === '') return answer;
  return { ...answer, body: { ...(answer.body as object), cursor: '[cursor]' } };
}

/** The fixtures of a folder: `fixtures/<operation>.<case>.yaml`. */
export function fixturesOf(folder: ProviderFolder): NamedFixture[] {
  return folder
    .list('fixtures')
    .filter((file) => /^[a-z]+_[a-z_]+\.[^.]+\.yaml$/.test(file))
    .map((file) => {
      const [id = '', name = ''] = file.split('.');
      if (!operations.has(id as OperationId))
        throw new Error(`${folder.shown(`fixtures/${file}`)}: there is no operation ${id}`);
      const fixture = parse(folder.read(`fixtures/${file}`)) as Fixture;
      return { ...fixture, file, operation: operationOf(id as OperationId), case: name };
    });
}

/** Those of the verification: `fixtures/verify.<case>.yaml`. */
export function verificationsOf(folder: ProviderFolder): NamedVerification[] {
  return folder
    .list('fixtures')
    .filter((file) => /^verify\.[^.]+\.yaml$/.test(file))
    .map((file) => ({
      ...(parse(folder.read(`fixtures/${file}`)) as VerificationFixture),
      file,
      case: file.split('.')[1] ?? '',
    }));
}

/** The configuration that the fixtures were recorded with, without secrets. */
export function integrationOf(folder: ProviderFolder): Record<string, unknown> {
  return parse(folder.read(integrationFile)) as Record<string, unknown>;
}

export function writeFixture(
  folder: ProviderFolder,
  operation: string,
  name: string,
  fixture: Fixture | VerificationFixture,
): string {
  const file = `fixtures/${operation}.${name}.yaml`;
  write(folder, file, fixture);
  return folder.shown(file);
}

export function writeIntegration(
  folder: ProviderFolder,
  configuration: Record<string, unknown>,
): void {
  write(folder, integrationFile, configuration);
}

function write(folder: ProviderFolder, file: string, value: object): void {
  mkdirSync(new URL('fixtures/', folder.url), { recursive: true });
  const head =
    'example' in value
      ? `# Not recorded: an example of what npm run -s provider -- record ${folder.name} writes\n`
      : `# Recorded: npm run -s provider -- record ${folder.name}\n`;
  const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  writeFileSync(new URL(file, folder.url), head + text);
}
