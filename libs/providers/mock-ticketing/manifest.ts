import type { Manifest } from '#provider-document';

export const manifest: Manifest = {
  type: 'ticketing_mock_ticketing',
  version: '1.0.0',
  fullname: 'Mock Ticketing',
  vendor: 'Onefold',
  description:
    'A service desk without a network: for trying things out, for demonstrations and for tests',
  availability: 'generally-available',
};
