import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { readXml } from '#apps/provider-kit';

/** Exchanges of vendors that others recorded or stubbed. Their licences do not let us ship them: the specs need them beside the checkout. */
const folder = new URL('../../../../shared/witness/', import.meta.url);

/** Why the specs cannot run; undefined where the exchanges are. */
export const whyNoExchanges = existsSync(new URL('replay.mjs', folder))
  ? undefined
  : 'the exchanges that others recorded are not beside this checkout';

/** A request and its answer. Without a path, nobody says which request an answer is to. */
export interface Exchange {
  call?: string;
  request: { method: string | null; path: string | null };
  response: { status: number; headers?: Record<string, string>; body?: unknown; text?: string };
  /** Name of the file that it is in. */
  file: string;
  /** How many times it has been served. */
  served: number;
}

/** The body of an answer: the values of JSON, or of XML as mappings read it. */
export function bodyOf({ body, text }: Exchange['response']): unknown {
  return body ?? (text === undefined ? undefined : readXml(text));
}

/** A server that answers as the vendor did. */
export interface Replay {
  url: string;
  exchanges: Exchange[];
  /** Requests without an exchange. */
  unknown: { method: string; url: string }[];
  close: () => Promise<void>;
}

export interface ReplayOptions {
  tls: { key: string; cert: string };
  /** Exchanges that are added. */
  also: Pick<Exchange, 'request' | 'response' | 'file'>[];
  /** Patterns of paths with the path and the method that they are answered from. */
  alias: [string, string, string][];
  hold?: (exchange: Exchange) => boolean;
}

interface Compared {
  arrived: number;
  /** Ids of raw records. */
  missing: string[];
  twice: string[];
  /** Records of ours that are none of theirs. */
  extra: number;
  /** Share of the leaves of the raw records that arrived, from 0 to 1. */
  coverage: number;
  /** Paths of leaves that did not arrive, with how often. */
  lost: [string, number][];
}

interface Judge {
  /** The values at a pointer, in which `*` stands for each of a list. */
  at: (value: unknown, pointer: string) => unknown[];
  compare: (
    raw: { id: string | null; record: unknown }[],
    records: unknown[],
    /** Leaves whose paths match are not looked for. */
    options: { ignore?: RegExp },
  ) => Compared;
}

export async function startReplay(vendor: string, options: ReplayOptions): Promise<Replay> {
  const module = (await import(new URL('replay.mjs', folder).href)) as {
    startReplay: (vendor: string, options: ReplayOptions) => Promise<Replay>;
  };
  return await module.startReplay(vendor, options);
}

/** Lists the answers of a vendor, those too of which nobody says the request. */
export async function readAnswers(vendor: string): Promise<Exchange[]> {
  const files = await readFiles(vendor);
  return files.flatMap(({ file, exchanges }) => exchanges.map((one) => ({ ...one, file })));
}

/** Names the files of a vendor whose exchanges were recorded; those of the others are stubs, which the author of an integration wrote down. */
export async function readRecordedFiles(vendor: string): Promise<Set<string>> {
  const files = await readFiles(vendor);
  return new Set(files.filter(({ kind }) => kind === 'recorded').map(({ file }) => file));
}

async function readFiles(vendor: string): Promise<ExchangeFile[]> {
  const place = new URL(`${vendor}/`, folder);
  const names = (await readdir(place)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, place), 'utf8')));
  return texts.map((text, index) => ({
    ...(JSON.parse(text) as Omit<ExchangeFile, 'file'>),
    file: names[index]?.slice(0, -'.json'.length) ?? '',
  }));
}

interface ExchangeFile {
  file: string;
  kind: 'recorded' | 'stub';
  exchanges: Exchange[];
}

export async function loadJudge(): Promise<Judge> {
  return (await import(new URL('judge.mjs', folder).href)) as Judge;
}
