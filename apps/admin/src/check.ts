/** One thing that was looked at. `says` has what was found and, where it is wrong, the remedy. */
export interface Check {
  check: string;
  ok: boolean;
  says: string;
  /** The command to run next where it is wrong, if there is a better one than the doctor again. */
  next?: string;
}

/** Something is wrong; the message has the remedy. */
export class CheckFailure extends Error {
  /** @param next the command to run next */
  constructor(
    message: string,
    readonly next?: string,
  ) {
    super(message);
  }
}

/** Makes a check of what a function finds, or of the error that it throws. */
export async function look(check: string, find: () => string | Promise<string>): Promise<Check> {
  try {
    return { check, ok: true, says: await find() };
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const next = error instanceof CheckFailure ? error.next : undefined;
    return { check, ok: false, says, ...(next === undefined ? {} : { next }) };
  }
}

/** The processes and roles whose settings can be checked: the owner of the tables, any service, or one kind of process. */
export const subjects = [
  'owner',
  'service',
  'gateway',
  'management',
  'operations',
  'connector',
] as const;
export type Subject = (typeof subjects)[number];

export function isSubject(text: string): text is Subject {
  return (subjects as readonly string[]).includes(text);
}
