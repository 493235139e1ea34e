import { Module } from '@nestjs/common';
import { TicketingHandlers } from './ticketing.handlers.js';

@Module({ controllers: [TicketingHandlers] })
export class TicketingModule {}
