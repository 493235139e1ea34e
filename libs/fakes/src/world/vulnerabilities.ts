import { productOf } from './products.js';
import type { Severity, Vulnerability } from './types.js';
import { vulnerabilityFacts } from './vulnerability-facts.js';

/** The severity of a CVSS v3 base score, by the qualitative scale of the specification. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'informational';
}

function readFact(line: string): Vulnerability {
  const [cve, product, published, score, vector, cwe, fixed, exploited, title] = line.split(' | ');
  if (!cve || !product || !published || !vector || !fixed || !title)
    throw new SyntaxError(`incomplete vulnerability: ${line}`);
  const { name, vendor, version, cpe } = productOf(product);
  const publishedMs = Date.parse(`${published}T00:00:00Z`);
  return {
    key: cve,
    title,
    description: `${title}. Affects ${name} before ${fixed}.`,
    severity: severityOfScore(Number(score)),
    cvss_version: /^CVSS:(\d\.\d)/.exec(vector)?.[1] ?? '3.1',
    cvss_score: Number(score),
    cvss_vector: vector,
    cwe: cwe === '-' || cwe === undefined ? null : cwe,
    published_at: new Date(publishedMs).toISOString(),
    published_ms: publishedMs,
    exploited_since: exploited === '-' || exploited === undefined ? null : exploited,
    product,
    product_name: name,
    product_vendor: vendor,
    cpe,
    affected_from: version,
    fixed_version: fixed,
    url: `https://www.cve.org/CVERecord?id=${cve}`,
  };
}

export const vulnerabilities: readonly Vulnerability[] = vulnerabilityFacts
  .trim()
  .split('\n')
  .map(readFact);

/** Compares dotted versions by their numbers; `10.2.9-h1` is above `10.2.9`. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const byProduct = new Map<string, Vulnerability[]>();
for (const vulnerability of vulnerabilities)
  byProduct.set(vulnerability.product, [
    ...(byProduct.get(vulnerability.product) ?? []),
    vulnerability,
  ]);

export function vulnerabilitiesOf(product: string): readonly Vulnerability[] {
  return byProduct.get(product) ?? [];
}

/** Versions of a product that the company may have: the oldest one, and each that fixes something. */
export function versionsOf(product: string): readonly string[] {
  const fixes = vulnerabilitiesOf(product).map((one) => one.fixed_version);
  return [...new Set([productOf(product).version, ...fixes])].sort(compareVersions);
}
