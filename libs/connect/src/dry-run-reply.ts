import { dryRunType, type Problem, StreamReply } from '#contract';
import { formatJson } from '@onefold/mapping';
import type { Confirmation } from './writes/dangerous-call.js';
import type { RehearsedRequest } from './document/rehearsed-request.js';

/** The answer to a dry run: what the provider would get, and what it would not keep. */
export interface DryRun {
  requests: readonly RehearsedRequest[];
  problems: readonly Problem[];
  /** With which the same call is carried out, where it is dangerous. */
  confirm?: Confirmation;
}

/** The reply of a dry run; those of several records can be joined. */
export class DryRunReply extends StreamReply {
  constructor(readonly found: DryRun) {
    const { requests, problems, confirm } = found;
    const messages = problems.length === 0 ? {} : { messages: { problems } };
    const told = { requests, ...(confirm === undefined ? {} : { confirm }) };
    const body = Buffer.from(formatJson({ dry_run: told, ...messages }));
    super(200, { 'content-type': dryRunType }, body);
  }

  /** Joins the replies of several records, which cannot be confirmed as one. */
  static join(replies: readonly DryRun[]): DryRunReply {
    return new DryRunReply({
      requests: replies.flatMap(({ requests }) => requests),
      problems: replies.flatMap(({ problems }) => problems),
    });
  }
}
