import { Module } from '@nestjs/common';
import { CredentialsHandlers } from './credentials.handlers.js';

@Module({ controllers: [CredentialsHandlers] })
export class CredentialsModule {}
