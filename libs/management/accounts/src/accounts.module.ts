import { Module } from '@nestjs/common';
import { AccountsHandlers } from './accounts.handlers.js';

@Module({ controllers: [AccountsHandlers] })
export class AccountsModule {}
