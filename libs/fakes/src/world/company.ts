/** The made-up company: a maker of laboratory instruments. `.example` is reserved, so no address of it can exist. */
export const company = {
  name: 'Alderpoint Instruments',
  domain: 'alderpoint.example',
  ad_domain: 'corp.alderpoint.example',
  tenant_id: '5d0c7a52-8c1e-4b8f-9a63-2f0e7c1b4d90',
  cloud_organization: 'o-alderpoint1',
} as const;

export interface Site {
  code: string;
  city: string;
  country: string;
  country_code: string;
  timezone: string;
  language: string;
  phone_prefix: string;
  /** Second byte of its network: 10.20.0.0/14 and so on. */
  network: number;
  /** Its address on the internet, of a range reserved for documentation. */
  external_ip: string;
}

export const sites: readonly Site[] = [
  {
    code: 'UTR',
    city: 'Utrecht',
    country: 'Netherlands',
    country_code: 'NL',
    timezone: 'Europe/Amsterdam',
    language: 'nl-NL',
    phone_prefix: '+31 30 555 01',
    network: 20,
    external_ip: '192.0.2.10',
  },
  {
    code: 'LIS',
    city: 'Lisbon',
    country: 'Portugal',
    country_code: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'pt-PT',
    phone_prefix: '+351 21 555 01',
    network: 84,
    external_ip: '192.0.2.20',
  },
  {
    code: 'TOR',
    city: 'Toronto',
    country: 'Canada',
    country_code: 'CA',
    timezone: 'America/Toronto',
    language: 'en-CA',
    phone_prefix: '+1 416 555 01',
    network: 148,
    external_ip: '192.0.2.30',
  },
];

export function siteOf(code: string): Site {
  const site = sites.find((one) => one.code === code);
  if (site === undefined) throw new RangeError(`unknown site ${code}`);
  return site;
}

/** `emp-0007`, `dev-0041`: keys count from 1 and keep their order as text up to 9,999. */
export function keyOf(prefix: string, number: number): string {
  return `${prefix}-${String(number).padStart(4, '0')}`;
}

/** Address of a device in the network of its site: no two numbers share one. */
export function addressIn(network: number, number: number): string {
  const second = network + Math.floor(number / 64_000);
  return `10.${second}.${Math.floor(number / 250) % 256}.${(number % 250) + 2}`;
}
