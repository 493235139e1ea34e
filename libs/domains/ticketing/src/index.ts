export { TicketingModule } from './ticketing.module.js';
