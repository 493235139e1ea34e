import { Refusal } from '#test/simulators';

/** Creates Jira's ErrorCollection. */
export function refuse(
  status: number,
  messages: string[],
  errors: Record<string, string> = {},
): Refusal {
  return new Refusal({ status, body: { errorMessages: messages, errors } });
}

export function noIssue(): Refusal {
  return refuse(404, ['Issue does not exist or you do not have permission to see it.']);
}

export function faulty(errors: Record<string, string>): Refusal {
  return refuse(400, [], errors);
}
