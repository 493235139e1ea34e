import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
} from '@nestjs/common';
import { ApiError } from '#contract';
import { asApiError, writeProblem } from './write-answer.js';

const log = new Logger('gateway');

/** Responds with a Problem when Nest or Express refuse a request outside of the contract's paths. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const problem = problemOf(error);
    if (problem.status === 500)
      log.error({ message: 'request failed outside of the API', error: problem.cause });
    const isHead = http.getRequest<IncomingMessage>().method === 'HEAD';
    writeProblem(http.getResponse<ServerResponse>(), problem, 'none', isHead);
  }
}

function problemOf(error: unknown): ApiError {
  if (!(error instanceof HttpException)) return asApiError(error);
  const status = error.getStatus();
  if (status === 404)
    return new ApiError(404, 'there is no such path', {
      remediation:
        'The paths of the API start with /v1; /reference describes them unless it is closed.',
    });
  return new ApiError(status, 'the request is not valid', {
    remediation: 'Check the method, the path and its percent-encoding.',
  });
}
