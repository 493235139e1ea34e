import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const room = `${root}libs/connect/src/`;

/** Types of a call, and of its request and result on the way: functions that get one of them, or whose object holds one, are the stations. */
const carried = new Set([
  'ConnectorCall',
  'OperationRun',
  'ProviderCall',
  'IntegrationCall',
  'ListQuery',
  'PageParameters',
  'MappedRequest',
  'SentRecord',
  'ProviderResult',
  'CallResult',
  'ListResult',
  'ListPages',
  'ListPage',
]);

/**
 * Walks from `Connector.run` to the functions of libs/connect that a call is handed on to, in the order in which a reader of the code meets
 * them, each once; it ends where the interface of providers begins. Returns their files: one more for each change of the file, also for the
 * way back to a caller that hands the call on again.
 */
export function walkCall(): string[] {
  const { options, fileNames } = readConfiguration();
  const files = fileNames.filter(
    (file) => file.startsWith(room) && !/\.(?:spec|fixture)\.ts$/.test(file),
  );
  // Other rooms are not part of the walk, so their files are not read.
  const program = ts.createProgram(files, { ...options, noResolve: true, types: [] });
  const walk = new Walk(program);
  walk.enter(walk.find('connector.ts', 'run'));
  return walk.stays;
}

/** Number of times that a walk comes to a file that it has left. */
export function countReturns(stays: readonly string[]): number {
  return stays.length - new Set(stays).size;
}

function readConfiguration(): ts.ParsedCommandLine {
  const path = `${root}tsconfig.json`;
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: object };
  return ts.parseJsonConfigFileContent(config, ts.sys, root);
}

class Walk {
  readonly stays: string[] = [];
  private readonly checker: ts.TypeChecker;
  private readonly seen = new Set<ts.FunctionLikeDeclaration>();
  /** Files of the functions that the walk is in. */
  private readonly callers: string[] = [];

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
  }

  find(file: string, name: string): ts.FunctionLikeDeclaration {
    const source = this.program.getSourceFile(room + file);
    const search = (node: ts.Node): ts.FunctionLikeDeclaration | undefined =>
      (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) &&
      node.body !== undefined &&
      node.name?.getText() === name
        ? node
        : ts.forEachChild(node, search);
    const found = source && search(source);
    if (found === undefined) throw new Error(`${file} of libs/connect has no function ${name}`);
    return found;
  }

  enter(entered: ts.FunctionLikeDeclaration): void {
    const { body } = entered as { body?: ts.Node };
    if (body === undefined || this.seen.has(entered)) return;
    this.seen.add(entered);
    const file = relative(room, entered.getSourceFile().fileName);
    this.stay(this.callers.at(-1) ?? file);
    this.stay(file);
    this.callers.push(file);
    this.read(body);
    this.callers.pop();
  }

  private stay(file: string): void {
    if (this.stays.at(-1) !== file) this.stays.push(file);
  }

  private read(node: ts.Node): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.readCall(node);
    else ts.forEachChild(node, (child) => this.read(child));
  }

  /** Reads the arguments, then the called function, then the functions that it gets. */
  private readCall(call: ts.CallExpression | ts.NewExpression): void {
    const [handed, others] = [true, false].map((isFunction) =>
      (call.arguments ?? []).filter((one) => isFunctionExpression(one) === isFunction),
    ) as [ts.Expression[], ts.Expression[]];
    for (const one of others) this.read(one);
    this.read(call.expression);
    const called = this.calledBy(call);
    if (called !== undefined && this.carries(call)) this.enter(called);
    for (const one of handed) ts.forEachChild(one, (child) => this.read(child));
  }

  private carries({ expression, arguments: given }: ts.CallExpression | ts.NewExpression) {
    if (given?.some((one) => this.isCarried(one))) return true;
    if (!ts.isPropertyAccessExpression(expression)) return false;
    const properties = this.typeOf(expression.expression).getProperties();
    return properties.some(({ valueDeclaration: place }) => {
      const isHeld = place && (ts.isParameter(place) || ts.isPropertyDeclaration(place));
      return isHeld === true && this.isCarried(place);
    });
  }

  private isCarried(node: ts.Node): boolean {
    const { aliasSymbol, symbol } = this.typeOf(node) as ts.Type & { symbol?: ts.Symbol };
    return [aliasSymbol, symbol].some((one) => one !== undefined && carried.has(one.name));
  }

  private typeOf(node: ts.Node): ts.Type {
    return this.checker.getNonNullableType(this.checker.getTypeAtLocation(node));
  }

  private calledBy({
    expression,
  }: ts.CallExpression | ts.NewExpression): ts.FunctionLikeDeclaration | undefined {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    let symbol = this.checker.getSymbolAtLocation(name);
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0)
      symbol = this.checker.getAliasedSymbol(symbol);
    for (const place of symbol?.declarations ?? []) {
      if (ts.isClassDeclaration(place)) return place.members.find(ts.isConstructorDeclaration);
      if ('body' in place && place.body !== undefined) return place as ts.FunctionLikeDeclaration;
      const { initializer } = place as { initializer?: ts.Expression };
      if (initializer !== undefined && isFunctionExpression(initializer)) return initializer;
    }
    return undefined;
  }
}

function isFunctionExpression(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}
