import type { Provider } from '#connect';
import { conversationOperations } from './conversations.js';
import { directoryOperations } from './directory.js';
import { ticketOperations } from './tickets.js';

/** A service desk that is always there: it keeps its records in the service's own database. */
export const mockTicketing: Provider = {
  type: 'ticketing_mock_ticketing',
  manifest: {
    fullname: 'Mock Ticketing',
    vendor: 'Onefold',
    description:
      'A service desk without a network: for trying things out, for demonstrations and for tests',
    availability: 'generally-available',
  },
  operations: { ...ticketOperations, ...conversationOperations, ...directoryOperations },
};
