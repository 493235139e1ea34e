import { describeOperation } from './describe-operation.js';
import { ListCall } from './list-call.js';
import type { DryRunOf, Input, OperationId, RecordOf, Result } from './operation-types.js';
import { type CallOptions, type ClientOptions, sendOperation } from './send-operation.js';

/** Lines of the generated groups by the names of their methods. */
export type Group = Readonly<Record<string, string>>;

type IdOf<Line> = Line extends `${infer Id} ${string}` ? Id & OperationId : never;
/** The value of a call: a list, a file, or the JSON of the response. */
type Returned<
  Line,
  Id extends OperationId,
> = Line extends `${string} ${'cursor' | 'after='}${string}`
  ? ListCall<Result<Id>, RecordOf<Id>>
  : Line extends `${string} file${string}`
    ? Promise<Response>
    : Promise<Result<Id>>;
type Call<Given, Answer> = object extends Given
  ? (input?: Given, options?: CallOptions) => Answer
  : (input: Given, options?: CallOptions) => Answer;
/** A write answers to `dry_run: true` with the requests that it would send. */
interface Write<Given, Answer, DryRun> {
  (input: Given & { dry_run: true }, options?: CallOptions): Promise<DryRun>;
  (...call: Parameters<Call<Given & { dry_run?: false }, Answer>>): Answer;
  (...call: Parameters<Call<Given, Answer>>): Answer | Promise<DryRun>;
}
type Method<Line, Id extends OperationId = IdOf<Line>> = [DryRunOf<Id>] extends [never]
  ? Call<Input<Id>, Returned<Line, Id>>
  : Write<Input<Id>, Returned<Line, Id>, DryRunOf<Id>>;

/** The methods of a group, such as `ticketing.queryTickets`. */
export type BoundGroup<Lines extends Group> = { [Name in keyof Lines]: Method<Lines[Name]> };
export type Client<Groups extends Readonly<Record<string, Group>>> = {
  readonly [Name in keyof Groups]: BoundGroup<Groups[Name]>;
};

/**
 * Makes a client of groups of operations: a bundler leaves out those that are not named.
 * `createClient({ url, token }, { ticketing }).ticketing.getTicket({ ticketId })`
 */
export function createClient<const Groups extends Readonly<Record<string, Group>>>(
  options: ClientOptions,
  groups: Groups,
): Client<Groups> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, lines]) => [name, bindGroup(options, lines)]),
  ) as Client<Groups>;
}

function bindGroup(options: ClientOptions, lines: Group): unknown {
  return Object.fromEntries(
    Object.entries(lines).map(([name, line]) => [name, bindMethod(options, line)]),
  );
}

function bindMethod(client: ClientOptions, line: string) {
  const operation = describeOperation(line);
  const read = async (input: Record<string, unknown>, call?: CallOptions): Promise<unknown> => {
    if (operation.isFile)
      return await sendOperation(operation, input, client, call, (response) => response);
    const text = await sendOperation(operation, input, client, call, (response) => response.text());
    return text === '' ? undefined : JSON.parse(text);
  };
  return (input: Record<string, unknown> = {}, call?: CallOptions) =>
    operation.next === undefined
      ? read(input, call)
      : new ListCall(operation, input, (page) => read(page, call));
}
