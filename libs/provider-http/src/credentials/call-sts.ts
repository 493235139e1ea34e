import { ApiError } from '#contract';
import { type Outgoing, sendText, type TextResponse } from '#egress';
import { signAws, type SigningKeys } from './sign-aws.js';

// Requests, fields and errors are those of the API reference of AWS Security Token Service, version 2011-06-15:
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
const version = '2011-06-15';
const maxCallMs = 15_000;

/** Domains of the partitions of AWS (https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html). */
const domains: ReadonlyMap<string, string> = new Map([
  ['aws', 'amazonaws.com'],
  ['aws-us-gov', 'amazonaws.com'],
  ['aws-cn', 'amazonaws.com.cn'],
  ['aws-eusc', 'amazonaws.eu'],
]);
const regionPattern = /^[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}$/;

/** Temporary keys, and when they expire in epoch milliseconds. */
export interface TemporaryKeys {
  keys: SigningKeys;
  expiresAt: number;
}

/** A regional endpoint of AWS Security Token Service. AWS recommends it over the global one. */
export interface StsEndpoint {
  url: URL;
  region: string;
}

/** Returns the domain of the services in the partition of an ARN. @throws ApiError 502 for a partition that is not known */
export function awsDomain(arn: string): string {
  const partition = arn.split(':')[1] ?? '';
  const domain = domains.get(partition);
  if (domain !== undefined) return domain;
  throw new ApiError(502, `roles of the AWS partition "${partition}" are not supported`, {
    remediation: `Use a role of one of the partitions ${[...domains.keys()].join(', ')}.`,
  });
}

/**
 * Finds the endpoint of a region. A region is part of a host name, and customers write documents of their own, so it is checked.
 * @throws ApiError 502
 */
export function stsEndpoint(region: string, roleArn: string): StsEndpoint {
  if (!regionPattern.test(region))
    throw new ApiError(502, `"${region.slice(0, 60)}" is not a region of AWS`, {
      remediation: 'Correct the region in provider_config; it is one such as eu-west-1.',
    });
  return { region, url: new URL(`https://sts.${region}.${awsDomain(roleArn)}/`) };
}

/** AWS Security Token Service refused a request, with its own code and words. */
export class StsRefused extends Error {
  constructor(
    readonly code: string,
    words: string,
    readonly response: TextResponse,
  ) {
    super(words);
    this.name = 'StsRefused';
  }
}

/**
 * Asks for temporary keys. The request passes the egress policy.
 * @param keys that sign the request; absent where a parameter proves who asks
 * @throws StsRefused, EgressRefused, and what undici throws
 */
export async function callSts(
  { url, region }: StsEndpoint,
  parameters: Readonly<Record<string, string>>,
  keys: SigningKeys | undefined,
  outgoing: Outgoing,
  { organizationId, signal }: { organizationId: string; signal: AbortSignal },
): Promise<TemporaryKeys> {
  const body = new URLSearchParams({ ...parameters, Version: version }).toString();
  const plain = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const request = { method: 'POST', url, headers: plain, body };
  const { headers } =
    keys === undefined ? request : await signAws(request, { service: 'sts', region, keys });
  const deadline = Date.now() + maxCallMs;
  const response = await sendText(
    { method: 'POST', url, headers, body, isRepeatable: true },
    outgoing,
    { organizationId, signal, deadline, statusOf },
  );
  const { status } = response;
  const texts = await readTexts(response.text);
  if (status !== 200)
    throw new StsRefused(
      texts.get('Code') ?? `status ${status}`,
      texts.get('Message') ?? '',
      response,
    );
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  ].map((name) => texts.get(name));
  const expiresAt = Date.parse(expiration ?? '');
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expiresAt))
    throw new Error('the response has no temporary keys');
  return { keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAt };
}

/** AWS says with the status 400 as well that it takes no more requests. */
function statusOf({ status, text }: TextResponse): number {
  return status === 400 && /<Code>(Throttling|RequestLimitExceeded)/.test(text) ? 429 : status;
}

/** Reads the texts of a response by the names of their elements, which are different in those of this API. */
async function readTexts(xml: string): Promise<ReadonlyMap<string, string>> {
  const { Parser } = await import('htmlparser2'); // Few installations use it.
  const texts = new Map<string, string>();
  let name = '';
  const parser = new Parser(
    {
      onopentagname: (opened) => {
        name = opened;
      },
      ontext: (text) => {
        if (name !== '') texts.set(name, (texts.get(name) ?? '') + text);
      },
      onclosetag: () => {
        name = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}
