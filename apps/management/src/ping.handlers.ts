import { Controller } from '@nestjs/common';
import { Serves } from '#bus';

/** Answers processes that ask whether the management service accepts their calls. */
@Controller()
export class PingHandlers {
  @Serves('management.ping')
  answer(): Promise<null> {
    return Promise.resolve(null);
  }
}
