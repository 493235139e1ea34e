import type { Served, ServedRequest } from './serve-example.js';

type Fields = Record<string, unknown>;

/**
 * A ticket system in the shape of REST 2 of Request Tracker, with state: a new ticket is answered by its address alone, a change of
 * another version than the last one is refused with 412, and searches are texts such as `id > 0 AND (Status = 'new')`.
 */
export class TicketDesk {
  tickets: Fields[] = [];
  /** Statuses of the answers to changes, in their order. */
  changes: number[] = [];
  /** Called before a change, as by somebody else. */
  before: (ticket: Fields) => void = () => undefined;
  readonly transactions = [1, 2].map((ticket) => ({
    id: ticket * 10,
    TicketId: ticket,
    Type: 'Comment',
    Content: `about ${ticket}`,
    Creator: 'ada',
    Created: '2026-01-01T08:00:00Z',
  }));

  answer({ method, url, headers, body }: ServedRequest): Served {
    if (headers.authorization !== 'token let-me-in') return refuse(401, 'Unauthorized');
    const path = url.pathname.replace('/REST/2.0', '');
    const query = url.searchParams.get('query') ?? '';
    if (path === '/tickets') return { body: list(this.tickets, query) };
    if (path === '/transactions') return { body: list(this.transactions, query) };
    if (path === '/ticket' && method === 'POST') {
      const id = this.tickets.length + 1;
      const times = { Created: '2026-01-01T08:00:00Z', LastUpdated: '2026-01-01T08:00:00Z' };
      this.tickets.push({ Status: 'new', Text: '', ...(body as Fields), ...times, id, version: 1 });
      return { status: 201, headers: { location: `${url.origin}/REST/2.0/ticket/${id}` } };
    }
    const ticket = this.tickets.find(({ id }) => path === `/ticket/${String(id)}`);
    if (ticket === undefined) return refuse(404, 'No such ticket');
    const etag = () => `"v${String(ticket['version'])}"`;
    if (method === 'GET') return { headers: { etag: etag() }, body: ticket };
    this.before(ticket);
    const isOld = headers['if-match'] !== undefined && headers['if-match'] !== etag();
    this.changes.push(isOld ? 412 : 200);
    if (isOld) return refuse(412, 'The ticket has changed');
    Object.assign(ticket, body, { version: Number(ticket['version']) + 1 });
    return { body: ['Ticket changed'] };
  }
}

function refuse(status: number, message: string): Served {
  return { status, body: { message } };
}

function list(all: readonly Fields[], query: string) {
  const items = all.filter((one) => holds(one, query));
  return { items, total: items.length };
}

/** Reads conditions with AND, OR and parentheses; OR binds less. A text is in single quotes, with a backslash before those in it. */
function holds(record: Fields, query: string): boolean {
  const tokens = query.match(/\(|\)|'(?:[^'\\]|\\.)*'|[^\s()']+/g) ?? [];
  let at = 0;
  const alternatives = (): boolean => {
    let result = conjunction();
    while (tokens[at] === 'OR') {
      at += 1;
      result = conjunction() || result;
    }
    return result;
  };
  const conjunction = (): boolean => {
    let result = condition();
    while (tokens[at] === 'AND') {
      at += 1;
      result = condition() && result;
    }
    return result;
  };
  const condition = (): boolean => {
    if (tokens[at] === '(') {
      at += 1;
      const result = alternatives();
      at += 1;
      return result;
    }
    const [field = '', operator, value = ''] = tokens.slice(at, at + 3);
    at += 3;
    const wanted = value.startsWith("'") ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
    const found = record[field];
    return operator === '>' ? Number(found) > Number(wanted) : String(found) === wanted;
  };
  return alternatives();
}
