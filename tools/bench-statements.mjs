// The statements of a call, read from the log of the database, and `pg` alone sending them.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';

/** The default of DATABASE_POOL. */
export const poolSize = 10;

/** Runs a call while the database logs statements, and returns its answer with the statements. @param log the file of the log */
export async function recordStatements(log, call) {
  await settled();
  const from = readFileSync(log, 'utf8').length;
  const answer = await call();
  await settled();
  return { answer, statements: statementsOf(readFileSync(log, 'utf8').slice(from)) };
}

/** The log is written behind the statement. */
const settled = () => new Promise((written) => setTimeout(written, 500));

/** Reads statements with their parameters, and the names of prepared ones, from the server's log: continued lines begin with a tab. */
function statementsOf(log) {
  const entries = log.replaceAll('\n\t', '\u0000').split('\n');
  /** @type {{ name?: string, text: string, values: (string | null)[] }[]} */
  const statements = [];
  for (const entry of entries) {
    const [, name, text] = /LOG: +(?:statement|execute ([^:]+)): (.*)$/.exec(entry) ?? [];
    if (text !== undefined)
      statements.push({
        ...(name === undefined || name === '<unnamed>' ? {} : { name }),
        text: text.replaceAll('\u0000', '\n'),
        values: [],
      });
    const parameters = /DETAIL: +Parameters: (.*)$/i.exec(entry)?.[1];
    const last = statements.at(-1);
    if (parameters !== undefined && last !== undefined)
      last.values = [...parameters.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(
        ([, value]) =>
          value === undefined ? null : value.replaceAll("''", "'").replaceAll('\u0000', '\n'),
      );
  }
  return statements;
}

/** Sends the statements of a call through a pool. @param unique texts of the statements that must be others each time */
export class Replay {
  constructor(databaseUrl, statements, unique) {
    this.statements = statements;
    this.unique = unique;
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: poolSize,
      options: '-c role=onefold_application -c timezone=UTC',
    });
  }

  /** Repeats the call with as many callers at a time while `goesOn` returns true. @returns the number of calls */
  async run(callers, goesOn) {
    let done = 0;
    const caller = async () => {
      while (goesOn(done)) {
        done += 1;
        await this.send();
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return done;
  }

  async send() {
    const fresh = this.unique.map((text) => [text, freshLike(text)]);
    const renew = (value) =>
      fresh.reduce((text, [old, now]) => text?.replaceAll(old, now) ?? null, value);
    const client = await this.pool.connect();
    try {
      for (const { name, text, values } of this.statements)
        await (values.length === 0
          ? client.query(text)
          : client.query({ name, text, values: values.map(renew) }));
    } finally {
      client.release();
    }
  }

  end() {
    return this.pool.end();
  }
}

function freshLike(text) {
  const tail = randomBytes(text.length).toString('hex');
  return `${text.slice(0, 8)}${tail.slice(0, text.length - 8)}`;
}
