import { Module } from '@nestjs/common';
import { AuthHandlers } from './auth.handlers.js';

/** Logon with a password, logoff, and changing the password. */
@Module({ controllers: [AuthHandlers] })
export class AuthModule {}
