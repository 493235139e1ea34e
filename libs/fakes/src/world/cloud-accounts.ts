import { keyOf } from './company.js';
import type { CloudAccount } from './types.js';

/** A cloud account and what its virtual machines have in common. */
export type CloudAccountPlan = CloudAccount & {
  instance_type: string;
  manufacturer: string;
  zone_suffix: string;
  vpc_id: string;
  subnet_id: string;
  image_id: string;
};

const accounts: readonly CloudAccountPlan[] = [
  {
    key: 'acc-0001',
    provider: 'aws',
    account_id: '111122223333',
    name: 'alderpoint-production',
    environment: 'production',
    region: 'eu-west-1',
    owner: keyOf('emp', 18),
    instance_type: 'm6i.xlarge',
    manufacturer: 'Amazon EC2',
    zone_suffix: 'a',
    vpc_id: 'vpc-0a1b2c3d4e5f60718',
    subnet_id: 'subnet-0f1e2d3c4b5a69788',
    image_id: 'ami-0d64bb532e0502c46',
  },
  {
    key: 'acc-0002',
    provider: 'azure',
    account_id: '8f3c1d20-64b7-4c19-9e52-0a7d4b9c6e11',
    name: 'Alderpoint Research',
    environment: 'research',
    region: 'westeurope',
    owner: keyOf('emp', 25),
    instance_type: 'Standard_D4s_v5',
    manufacturer: 'Microsoft Azure',
    zone_suffix: '-1',
    vpc_id: 'vnet-research',
    subnet_id: 'vnet-research/default',
    image_id: 'amazonlinux-2023-azure',
  },
  {
    key: 'acc-0003',
    provider: 'gcp',
    account_id: 'alderpoint-analytics',
    name: 'Alderpoint Analytics',
    environment: 'development',
    region: 'europe-west4',
    owner: keyOf('emp', 24),
    instance_type: 'n2-standard-4',
    manufacturer: 'Google Compute Engine',
    zone_suffix: '-b',
    vpc_id: 'analytics',
    subnet_id: 'analytics-europe-west4',
    image_id: 'amazonlinux-2023-gce',
  },
];

export function cloudAccountOf(key: string): CloudAccountPlan {
  const account = accounts.find((one) => one.key === key);
  if (account === undefined) throw new RangeError(`unknown cloud account ${key}`);
  return account;
}

export function* makeCloudAccounts(): Generator<CloudAccount> {
  for (const { key, provider, account_id, name, environment, region, owner } of accounts)
    yield { key, provider, account_id, name, environment, region, owner };
}
