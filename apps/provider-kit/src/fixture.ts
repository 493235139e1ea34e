import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { type Operation, type OperationId, operationOf, operations } from '#contract';
import { kitCommand, type ProviderFolder } from './folders.js';
import type { Body } from './message.js';

/** A request to our API. */
export interface OurRequest {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Uploaded file, as the part of the request that the contract names. */
  file?: Body & { filename: string; type: string };
}

/** Our response: a result of the contract, or a Problem. */
export interface OurAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Downloaded file, instead of a body. */
  file?: Body;
}

/** Our response in a fixture: an error by its code and its place, so that rewording it changes no fixture. */
export interface KeptAnswer extends OurAnswer {
  /** The last part of the Problem's `type`, such as not-found. */
  error?: string;
  /** The `checks` or `errors` entry of the document that detected the failure. */
  place?: string;
  /** The faulty part of our request. */
  pointer?: string;
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
  /** Taken from the provider's documentation; the provider itself did not send it. */
  from_documentation?: true;
}

interface Origin {
  /** Time of the recording, which is the current time of a replay. */
  at: string;
}

/** A call of an operation: everything that the provider sent, and our response. */
export interface Case {
  request: OurRequest;
  /** The provider's page size, small enough for several pages. */
  page_size?: number;
  exchanges: Exchange[];
  /** Result of a single call. */
  answer?: KeptAnswer;
  /** Ids of each page in a run over all pages. */
  pages?: string[][];
}

/** `fixtures/<operation>.yaml` */
export interface OperationFixtures extends Origin {
  /** Permission at the provider that a refusal must name. */
  needs?: string;
  cases: Record<string, Case>;
}

export interface NamedFixture extends Case, Origin {
  file: string;
  /** `<operation>.<case>`, in reports and in `without` of the plan. */
  label: string;
  operation: Operation;
  case: string;
  needs: string | undefined;
}

/** A verified configuration: the calls of the document's `verify`, and our response. */
export interface VerificationCase {
  exchanges: Exchange[];
  answer: KeptAnswer;
}

/** `fixtures/verify.yaml` */
export interface VerificationFixtures extends Origin {
  /** The permission of each call of `verify`, in order. */
  needs: string[];
  cases: Record<string, VerificationCase>;
}

export interface NamedVerification extends VerificationCase, Origin {
  file: string;
  label: string;
  case: string;
  needs: string[];
  operation?: undefined;
  page_size?: undefined;
}

/** How the provider refuses a call, whichever call it is. */
export interface Refusal {
  response: TheirResponse;
  /** The text that the document's `message` reads from it. */
  words?: string;
  /** For a 429: the seconds to wait, as in our `retry-after`. */
  seconds?: number;
  from_documentation?: true;
}

export const refusalStatuses = ['401', '403', '404', '429'] as const;
export type RefusalStatus = (typeof refusalStatuses)[number];

/** `fixtures/refusals.yaml` */
export interface Refusals extends Origin {
  refusals: Partial<Record<RefusalStatus, Refusal>>;
}

/** Replaces secrets in fixtures. */
export const secretMark = '[secret]';
export const integrationFile = 'fixtures/integration.yaml';
export const verificationFile = 'fixtures/verify.yaml';
export const refusalsFile = 'fixtures/refusals.yaml';

/** Reads the fixtures of all operations of a folder. */
export function fixturesOf(folder: ProviderFolder): NamedFixture[] {
  return folder
    .list('fixtures')
    .filter((file) => /^[a-z]+_[a-z_]+\.yaml$/.test(file))
    .flatMap((file) => {
      const id = file.replace(/\.yaml$/, '');
      if (!operations.has(id as OperationId))
        throw new Error(`${folder.shown(`fixtures/${file}`)}: unknown operation ${id}`);
      const operation = operationOf(id as OperationId);
      const { cases, needs, ...origin } = read(folder, `fixtures/${file}`) as OperationFixtures;
      return Object.entries(cases).map(([name, one]) => ({
        ...origin,
        ...one,
        file,
        label: `${id}.${name}`,
        operation,
        case: name,
        needs,
      }));
    });
}

/** Reads the fixtures of the document's `verify`. */
export function verificationsOf(folder: ProviderFolder): NamedVerification[] {
  if (!folder.has(verificationFile)) return [];
  const { cases, ...common } = read(folder, verificationFile) as VerificationFixtures;
  const file = verificationFile.replace('fixtures/', '');
  return Object.entries(cases).map(([name, one]) => ({
    ...common,
    ...one,
    file,
    label: `verify.${name}`,
    case: name,
  }));
}

export function refusalsOf(folder: ProviderFolder): Refusals | undefined {
  return folder.has(refusalsFile) ? (read(folder, refusalsFile) as Refusals) : undefined;
}

/** Reads the configuration of the recording, without secrets. */
export function integrationOf(folder: ProviderFolder): Record<string, unknown> {
  return read(folder, integrationFile) as Record<string, unknown>;
}

/** Writes a fixture, unless only times differ from the existing file. */
export function writeFixture(folder: ProviderFolder, file: string, value: object): void {
  mkdirSync(new URL('fixtures/', folder.url), { recursive: true });
  const head = `# Recorded: ${kitCommand} record ${folder.argument}\n`;
  const text = head + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  const url = new URL(file, folder.url);
  if (existsSync(url) && withoutTimes(readFileSync(url, 'utf8')) === withoutTimes(text)) return;
  writeFileSync(url, text);
}

function read(folder: ProviderFolder, file: string): unknown {
  return parse(folder.read(file)) as unknown;
}

/** Matches ISO 8601 times, and seconds or milliseconds of the epoch. */
function withoutTimes(text: string): string {
  return text.replaceAll(
    /\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)?|\b1[5-9]\d{8}(\d{3})?\b/g,
    '*',
  );
}
