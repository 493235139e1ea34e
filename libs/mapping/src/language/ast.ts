/** Where a node stands: offsets into the source. */
export interface Span {
  start: number;
  end: number;
}

export type BinaryOperator =
  '*' | '/' | '%' | '|' | '+' | '-' | '==' | '!=' | '>' | '<' | '>=' | '<=' | '&&' | '||';

export interface Argument {
  name?: string;
  value: Expression;
}

export type Expression = Span &
  (
    | { kind: 'literal'; value: null | boolean | number | bigint | string }
    | { kind: 'array'; items: Expression[] }
    | { kind: 'object'; entries: { key: Expression; value: Expression }[] }
    | { kind: 'this' }
    | { kind: 'root' }
    | { kind: 'name'; name: string }
    | { kind: 'variable'; name: string }
    | { kind: 'metadata'; key?: string }
    | { kind: 'field'; target: Expression; name: string }
    | { kind: 'scoped'; target: Expression; body: Expression }
    | { kind: 'method'; target: Expression; name: string; arguments: Argument[] }
    | { kind: 'function'; name: string; arguments: Argument[] }
    | { kind: 'not'; operand: Expression }
    | { kind: 'negate'; operand: Expression }
    | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
    | { kind: 'lambda'; parameter: string; body: Expression }
    | {
        kind: 'if';
        branches: { condition: Expression; value: Expression }[];
        otherwise?: Expression;
      }
    | { kind: 'match'; subject?: Expression; cases: { test?: Expression; value: Expression }[] }
  );

export type Statement = Span & { line: number } & (
    | { kind: 'assign'; path: string[]; value: Expression }
    | { kind: 'let'; name: string; value: Expression }
    | { kind: 'meta'; key?: string; value: Expression }
    | {
        kind: 'if';
        branches: { condition: Expression; body: Statement[] }[];
        otherwise?: Statement[];
      }
  );

/** A parsed template. */
export interface Template {
  statements: Statement[];
  /** The maps it defines. */
  maps: Map<string, Statement[]>;
  /** Where the maps of a text are. */
  mapSpans?: Map<string, Span>;
}
