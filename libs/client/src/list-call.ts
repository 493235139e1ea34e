import type { DescribedOperation } from './describe-operation.js';

/** A page of a list as the API returns it. */
interface Page {
  result?: readonly unknown[] | null;
  cursor?: string | null;
}

/**
 * The call of a list. Awaited, it is the first page. `for await` goes over the records of all pages, and `pages()` over the pages; each page is
 * asked for when the one before has been used. Nothing is sent before one of these.
 */
export class ListCall<Result, One> implements PromiseLike<Result>, AsyncIterable<One> {
  constructor(
    private readonly operation: DescribedOperation,
    private readonly input: Readonly<Record<string, unknown>>,
    private readonly read: (input: Record<string, unknown>) => Promise<unknown>,
  ) {}

  then<Then = Result, Catch = never>(
    done?: ((page: Result) => Then | PromiseLike<Then>) | null,
    failed?: ((error: unknown) => Catch | PromiseLike<Catch>) | null,
  ): Promise<Then | Catch> {
    return (this.read({ ...this.input }) as Promise<Result>).then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<One, void, undefined> {
    for await (const page of this.pages()) yield* ((page as Page).result ?? []) as readonly One[];
  }

  async *pages(): AsyncGenerator<Result, void, undefined> {
    const { next = 'cursor', after } = this.operation;
    const input: Record<string, unknown> = { ...this.input };
    for (;;) {
      const page = (await this.read(input)) as Page;
      yield page as Result;
      // A short page need not be the last: the service may give fewer records than were asked for. Behind the last one there are none.
      const last = page.result?.at(-1) as Record<string, string | undefined> | undefined;
      const following = next === 'cursor' ? page.cursor : last?.[after];
      if (following === undefined || following === null || following === '') return;
      if (following === input[next])
        throw new Error(`${this.operation.id}: the page behind ${following} leads to itself`);
      input[next] = following;
    }
  }

  /** All records of all pages. @param max throws when there are more */
  async toArray(max = Infinity): Promise<One[]> {
    const all: One[] = [];
    for await (const one of this) {
      if (all.length === max)
        throw new RangeError(`${this.operation.id}: more than ${max} records`);
      all.push(one);
    }
    return all;
  }
}
