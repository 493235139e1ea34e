import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves } from '#bus';
import { Integrations } from './integrations.js';

/** Forgets integrations for the management service, which answers the change of one when every connector has. */
@Controller()
export class ForgetIntegrations {
  constructor(private readonly integrations: Integrations) {}

  @Serves('integrations.forget')
  forget({ id }: InternalCalls['integrations.forget']['input']): null {
    this.integrations.forget(id);
    return null;
  }
}
