import { QueryFault } from './language.js';

/** Syntax tree of a query of Jira. */
export type JqlClause =
  | { kind: 'and' | 'or'; clauses: JqlClause[] }
  | { kind: 'not'; clause: JqlClause }
  | { kind: 'compare'; field: string; operator: string; operand: JqlOperand };

export type JqlOperand =
  | { kind: 'value'; value: string }
  | { kind: 'list'; values: JqlOperand[] }
  | { kind: 'function'; name: string }
  | { kind: 'empty' };

export interface JqlQuery {
  where: JqlClause | undefined;
  orderBy: { field: string; descending: boolean }[];
}

interface Token {
  kind: 'word' | 'quoted' | 'sign' | 'end';
  text: string;
  at: number;
}

const lexemes =
  /\s*(?:(?<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<sign><=|>=|!=|!~|[=<>~(),])|(?<word>[^\s"'=<>!~(),]+))/y;

/** Parses JQL. @throws QueryFault in Jira's words */
export function parseJql(jql: string): JqlQuery {
  return new Parser(lex(jql)).query();
}

function lex(jql: string): Token[] {
  const tokens: Token[] = [];
  lexemes.lastIndex = 0;
  while (jql.slice(lexemes.lastIndex).trim() !== '') {
    const space = /\S/.exec(jql.slice(lexemes.lastIndex))?.index ?? 0;
    const at = lexemes.lastIndex + space;
    const groups = lexemes.exec(jql)?.groups;
    if (groups === undefined) throw syntaxError(jql[at] ?? '', at);
    const { quoted, sign, word } = groups;
    if (quoted !== undefined) {
      const text = quoted.slice(1, -1).replace(/\\(.)/g, '$1');
      tokens.push({ kind: 'quoted', text, at });
    } else tokens.push({ kind: sign ? 'sign' : 'word', text: sign ?? word ?? '', at });
  }
  return [...tokens, { kind: 'end', text: '', at: jql.length }];
}

class Parser {
  private position = 0;

  constructor(private readonly tokens: Token[]) {}

  /** Query : Or? ( 'ORDER' 'BY' Field ( 'ASC' | 'DESC' )? ( ',' … )* )? */
  query(): JqlQuery {
    const where = this.isKeyword('order') || this.peek().kind === 'end' ? undefined : this.or();
    const orderBy = this.take('order') ? this.orderBy() : [];
    if (this.peek().kind !== 'end') throw this.unexpected();
    return { where, orderBy };
  }

  private orderBy(): JqlQuery['orderBy'] {
    if (!this.take('by')) throw this.unexpected();
    const orders: JqlQuery['orderBy'] = [];
    do {
      const field = this.word();
      const descending = this.take('desc');
      if (!descending) this.take('asc');
      orders.push({ field, descending });
    } while (this.sign(','));
    return orders;
  }

  /** Or : And ( 'OR' And )* */
  private or(): JqlClause {
    const clauses = [this.and()];
    while (this.take('or')) clauses.push(this.and());
    return clauses.length === 1 ? (clauses[0] as JqlClause) : { kind: 'or', clauses };
  }

  /** And : Not ( 'AND' Not )* */
  private and(): JqlClause {
    const clauses = [this.not()];
    while (this.take('and')) clauses.push(this.not());
    return clauses.length === 1 ? (clauses[0] as JqlClause) : { kind: 'and', clauses };
  }

  /** Not : 'NOT' Not | '(' Or ')' | Comparison */
  private not(): JqlClause {
    if (this.take('not')) return { kind: 'not', clause: this.not() };
    if (!this.sign('(')) return this.comparison();
    const inner = this.or();
    if (!this.sign(')')) throw this.unexpected();
    return inner;
  }

  /** Comparison : Field Operator JqlOperand */
  private comparison(): JqlClause {
    const field = this.word();
    const operator = this.operator();
    return { kind: 'compare', field, operator, operand: this.operand() };
  }

  private operator(): string {
    if (this.take('is')) return this.take('not') ? 'is not' : 'is';
    if (this.take('in')) return 'in';
    if (this.take('not')) {
      if (!this.take('in')) throw this.unexpected();
      return 'not in';
    }
    const { kind, text } = this.peek();
    if (kind !== 'sign' || '(),'.includes(text)) throw this.unexpected();
    this.position += 1;
    return text;
  }

  /** JqlOperand : Value | 'EMPTY' | Name '(' ')' | '(' JqlOperand ( ',' JqlOperand )* ')' */
  private operand(): JqlOperand {
    if (this.sign('(')) {
      const values = [this.operand()];
      while (this.sign(',')) values.push(this.operand());
      if (!this.sign(')')) throw this.unexpected();
      return { kind: 'list', values };
    }
    if (this.take('empty') || this.take('null')) return { kind: 'empty' };
    const isName = this.peek().kind === 'word';
    const value = this.word();
    if (!isName || !this.sign('(')) return { kind: 'value', value };
    if (!this.sign(')')) throw this.unexpected();
    return { kind: 'function', name: value.toLowerCase() };
  }

  private word(): string {
    const { kind, text } = this.peek();
    if (kind !== 'word' && kind !== 'quoted') throw this.unexpected();
    this.position += 1;
    return text;
  }

  private sign(text: string): boolean {
    const found = this.peek().kind === 'sign' && this.peek().text === text;
    if (found) this.position += 1;
    return found;
  }

  private take(keyword: string): boolean {
    const found = this.isKeyword(keyword);
    if (found) this.position += 1;
    return found;
  }

  private isKeyword(keyword: string): boolean {
    return this.peek().kind === 'word' && this.peek().text.toLowerCase() === keyword;
  }

  private peek(): Token {
    return this.tokens[this.position] as Token;
  }

  private unexpected(): Error {
    return syntaxError(this.peek().text, this.peek().at);
  }
}

function syntaxError(text: string, at: number): Error {
  const what = text === '' ? 'the end of the query' : `'${text}'`;
  return new QueryFault(
    `Error in the JQL Query: Expecting another token but got ${what}. (line 1, character ${at + 1})`,
    at,
  );
}
