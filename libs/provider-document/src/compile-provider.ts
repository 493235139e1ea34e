import { operations, type OperationId } from '#contract';
import { type CompiledDocument, type CompiledTemplate, suggestName, type Value } from '#mapping';
import type {
  CompiledProvider,
  CompiledCredential,
  CompiledSending,
  CompiledError,
  CompiledCall,
  CompiledStep,
  CompiledPage,
  CompiledOperation,
  CompiledVerification,
} from './compiled-provider.js';
import { checkConfigurations } from './check-configuration.js';
import { functionOf } from './check-function.js';
import type { ClientFunctions } from './client-function.js';
import { answersFile, checkFiles, sendsFile } from './check-files.js';
import { type CompiledQuery, DocumentReader, type Path, type ReadFile } from './document-reader.js';
import { domainOf } from './manifest.js';
import { actionOf, idsOf, resourceOf } from './operation-names.js';
import { readPath } from './path-template.js';
import { isOffered, type ProviderEntry, providerEntries } from './provider-entries.js';
import {
  type Action,
  type CallSource,
  type CredentialKind,
  credentialKinds,
  type ErrorSource,
  type OperationSource,
  type DocumentSource,
} from './source.js';

/**
 * Checks and compiles a provider document.
 * @param readFile gives the mapping files beside a built-in document
 * @param functions those of the `client.ts` beside a built-in document
 * @returns the providers that it describes, one at least
 * @throws MappingError with every fault, at its line and column
 */
export function compileProviders(
  text: string,
  readFile?: ReadFile,
  functions?: ClientFunctions,
): [CompiledProvider, ...CompiledProvider[]] {
  const reader = new DocumentReader(text, readFile);
  const compiled = new Compiler(reader, functions).compile();
  reader.finish();
  return compiled as [CompiledProvider, ...CompiledProvider[]];
}

/** Compiles a document that describes one provider. @throws MappingError with every fault, at its line and column */
export function compileProvider(text: string, readFile?: ReadFile): CompiledProvider {
  return compileProviders(text, readFile)[0];
}

/** The value a query has when it could not be compiled: the reader has its fault, and no document with faults is ever run. */
const never: CompiledQuery = (): Value => null;

class Compiler {
  private readonly source: DocumentSource;
  private readonly entries: readonly ProviderEntry[];
  private readonly mappings = new Map<string, CompiledDocument | undefined>();

  constructor(
    private readonly reader: DocumentReader,
    private readonly functions: ClientFunctions | undefined,
  ) {
    this.source = reader.value as DocumentSource;
    this.entries = providerEntries(reader);
  }

  compile(): CompiledProvider[] {
    const { reader, source } = this;
    checkConfigurations(reader, source);
    for (const name of Object.keys(source.mappings ?? {}))
      this.mappings.set(name, reader.mapping(['mappings', name]));
    const operations = new Map(
      Object.entries(source.operations).flatMap(([id, operation]) =>
        this.isOperation(id)
          ? [[id, this.operation(['operations', id], id, operation)] as const]
          : [],
      ),
    );
    const reads = Object.entries(source.reads ?? {}).map(
      ([id, read]) =>
        [id, this.operation(['reads', id], id, { action: 'read', resource: id, ...read })] as const,
    );
    const verify = this.verifications([]);
    const shared = {
      headers: this.template(['http', 'headers']),
      message: this.query(['http', 'message']),
      limited: this.query(['http', 'limited']),
      credentials: Object.keys(source.credentials ?? {}).map((slot) => this.credential(slot)),
      errors: this.errors(['errors'], source.errors),
      reads: new Map<string, CompiledOperation>([...operations, ...reads]),
    };
    return this.entries.map(({ type, place, source: own }) => ({
      ...shared,
      source: own,
      ...this.baseUrl(place),
      verify: place.length === 0 ? verify : [...verify, ...this.verifications(place)],
      operations: new Map([...operations].filter(([id]) => isOffered(type, id))),
    }));
  }

  private baseUrl(place: Path): Pick<CompiledProvider, 'baseUrl' | 'baseUrlPlace'> {
    const own = [...place, 'base_url'];
    const at = place.length > 0 && this.reader.has(own) ? own : ['http', 'base_url'];
    return { baseUrl: this.query(at) ?? never, baseUrlPlace: at.join('.') };
  }

  private verifications(above: Path): CompiledVerification[] {
    const [, type = ''] = above as string[];
    const { verify = [] } =
      above.length === 0 ? this.source : (this.source.providers?.[type] ?? {});
    return verify.map((one, index) => {
      const place = [...above, 'verify', index];
      return {
        ...this.call(place, one),
        needs: one.needs,
        passes: this.query([...place, 'passes']),
        message: this.query([...place, 'message']),
      };
    });
  }

  private isOperation(id: string): id is OperationId {
    const known = operations.get(id as OperationId);
    const types = this.entries.map(({ type }) => type);
    const domains = [...new Set(types.map(domainOf))];
    const [category = ''] = domains;
    const place = ['operations', id];
    if (known?.side !== 'connector') {
      this.reader.fault(
        place,
        `there is no operation "${id}"`,
        suggestName(id, idsOf(category)) ??
          `The operations of ${category} begin with ${category}_.`,
      );
      return false;
    }
    if (types.some((type) => isOffered(type, id))) return true;
    this.reader.fault(
      place,
      `"${id}" is an operation of ${known.group}, the provider is one of ${domains.join(' and ')}`,
      `A provider whose id begins with custom may have operations of every domain.`,
    );
    return false;
  }

  private credential(slot: string): CompiledCredential {
    const source = this.source.credentials?.[slot] ?? {};
    const kinds = new Map<CredentialKind, CompiledSending>();
    for (const kind of credentialKinds) {
      const sending = source[kind];
      if (sending === undefined) continue;
      const place = ['credentials', slot, kind];
      const queries = new Map<string, CompiledQuery>();
      for (const key of ['username', 'password', 'value', 'token_url', 'scope', 'region']) {
        const query = this.query([...place, key]);
        if (query) queries.set(key, query);
      }
      kinds.set(kind, {
        source: sending,
        queries,
        parameters: this.template([...place, 'parameters']),
      });
    }
    if (kinds.size === 0)
      this.reader.fault(
        ['credentials', slot],
        `the credential "${slot}" accepts no kind`,
        `Add one of ${credentialKinds.join(', ')}.`,
      );
    return { slot, optional: source.optional ?? false, kinds };
  }

  private operation(place: Path, id: string, source: OperationSource): CompiledOperation {
    const steps = source.steps.map((_step, index) =>
      this.step([...place, 'steps', index], source, index),
    );
    const action = source.action ?? actionOf(id);
    const known = operations.get(id as OperationId);
    const answers = answersFile(source) || known?.response.kind === 'none';
    this.checkOutcome(place, source, action, answers);
    checkFiles(this.reader, place, source, known);
    const names = steps.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        this.reader.fault([...place, 'steps', index], `there are two steps "${name}"`);
    return {
      id,
      place: place.join('.'),
      source,
      resource: source.resource ?? resourceOf(id),
      action,
      request: this.mapping(place, 'request', source.request),
      response: this.mapping(
        place,
        'response',
        source.response ?? this.readBy(source.then?.operation)?.response,
      ),
      current: this.reference([...place, 'current'], source.current),
      page: this.page([...place, 'page'], source, names),
      steps,
      rows: this.query([...place, 'rows']),
      record: this.query([...place, 'record']),
      file: this.query([...place, 'file']),
      answersFile: answersFile(source),
      takesFile: source.steps.some(sendsFile),
      then: this.then(place, source),
      errors: this.errors([...place, 'errors'], source.errors),
    };
  }

  private checkOutcome(
    place: Path,
    source: OperationSource,
    action: Action,
    hasNoRecord: boolean,
  ): void {
    const { reader } = this;
    const outcomes = [source.rows, source.record, source.then].filter((one) => one !== undefined);
    if (outcomes.length > 1)
      reader.fault(place, 'an operation has one of rows, record and then, not several');
    if (action === 'query' && source.rows === undefined)
      reader.fault(
        place,
        'a list has no rows',
        'Add rows: where the records are, such as this.steps.list.items.',
      );
    if ((action === 'read' || action === 'create') && source.rows !== undefined)
      reader.fault(place, `an operation that is a ${action} has a record, no rows`);
    if (!['query', 'delete'].includes(action) && outcomes.length === 0 && !hasNoRecord)
      reader.fault(
        place,
        'the operation has no record',
        'Add record: where it is, or then: the operation that reads it.',
      );
    if (action === 'patch' && source.current === undefined)
      reader.fault(
        place,
        'a patch needs current',
        'Name the operation that reads the record before it is patched.',
      );
    if (source.page !== undefined && action !== 'query')
      reader.fault([...place, 'page'], 'only lists are paged');
  }

  private step(place: Path, operation: OperationSource, index: number): CompiledStep {
    const source = operation.steps[index] as OperationSource['steps'][number];
    const { path, url, function: named } = source;
    if ([path, url, named].filter((one) => one !== undefined).length !== 1)
      this.reader.fault(place, 'a step has one of path, url and function');
    if (source.each !== undefined && source.poll !== undefined)
      this.reader.fault(
        [...place, 'poll'],
        'a step with each cannot wait',
        'Wait in a step of its own.',
      );
    const call = this.call(place, source);
    const until = this.query([...place, 'poll', 'until']);
    return {
      ...call,
      name: source.name ?? (operation.steps.length === 1 ? 'call' : `step${index + 1}`),
      when: this.query([...place, 'when']),
      each: this.query([...place, 'each']),
      concurrency: source.concurrency ?? 4,
      encoding: source.encoding ?? 'json',
      part: source.part,
      sendsFile: sendsFile(source),
      answer: source.answer ?? (call.method === 'DELETE' ? 'none' : 'json'),
      accept: new Set(source.accept ?? []),
      repeatable: source.repeatable ?? !['POST', 'PATCH'].includes(call.method),
      url: this.query([...place, 'url']),
      run: functionOf(this.reader, place, source, this.functions),
      anonymous: source.anonymous ?? false,
      checks: (source.checks ?? []).map(({ status }, at) => ({
        status,
        that: this.query([...place, 'checks', at, 'that']) ?? never,
        message: this.query([...place, 'checks', at, 'message']) ?? never,
      })),
      poll:
        until === undefined
          ? undefined
          : {
              until,
              failed: this.query([...place, 'poll', 'failed']),
              everyMs: (source.poll?.every ?? 2) * 1000,
            },
    };
  }

  private call(place: Path, source: CallSource): CompiledCall {
    const { credential } = source;
    if (credential !== undefined && !Object.hasOwn(this.source.credentials ?? {}, credential))
      this.reader.fault(
        [...place, 'credential'],
        `there is no credential "${credential}"`,
        suggestName(credential, Object.keys(this.source.credentials ?? {})),
      );
    return {
      place: place.join('.'),
      method: source.method ?? 'GET',
      path: readPath(this.reader, [...place, 'path'], source.path ?? ''),
      query: this.template([...place, 'query']),
      headers: this.template([...place, 'headers']),
      body: this.template([...place, 'body']),
      credential,
    };
  }

  private page(
    place: Path,
    operation: OperationSource,
    steps: readonly string[],
  ): CompiledPage | undefined {
    const { page } = operation;
    if (page === undefined) return undefined;
    const step = page.step === undefined ? 0 : steps.indexOf(page.step);
    if (step < 0)
      this.reader.fault(
        [...place, 'step'],
        `there is no step "${page.step}"`,
        suggestName(page.step ?? '', steps),
      );
    if (operation.steps[step]?.each !== undefined)
      this.reader.fault(
        [...place, 'step'],
        'a step with each cannot be paged',
        'Name the step that gives the pages.',
      );
    const needed = { offset: 'count', page: 'count', token: 'next', link: undefined }[page.kind];
    if (needed !== undefined && page[needed as 'count' | 'next'] === undefined)
      this.reader.fault(place, `paging by ${page.kind} needs ${needed}`);
    return {
      source: page,
      step,
      count: this.query([...place, 'count']),
      total: this.query([...place, 'total']),
      more: this.query([...place, 'more']),
      next: this.query([...place, 'next']),
    };
  }

  private then(place: Path, { then }: OperationSource): CompiledOperation['then'] {
    if (then === undefined) return undefined;
    const operation = this.reference([...place, 'then', 'operation'], then.operation);
    if (operation === undefined) return undefined;
    return { operation, path: this.template([...place, 'then', 'path']) };
  }

  private readBy(id = ''): OperationSource | undefined {
    const { operations, reads = {} } = this.source;
    if (Object.hasOwn(operations, id)) return operations[id];
    return Object.hasOwn(reads, id) ? reads[id] : undefined;
  }

  /** Another operation of the document that has a record. */
  private reference(place: Path, id: string | undefined): string | undefined {
    if (id === undefined) return undefined;
    const other = this.readBy(id);
    if (other === undefined)
      this.reader.fault(
        place,
        `the document has no operation "${id}"`,
        suggestName(id, [
          ...Object.keys(this.source.operations),
          ...Object.keys(this.source.reads ?? {}),
        ]),
      );
    else if (other.record === undefined)
      this.reader.fault(place, `the operation "${id}" has no record`);
    return id;
  }

  private mapping(
    place: Path,
    key: string,
    name: string | undefined,
  ): CompiledDocument | undefined {
    if (name === undefined) return undefined;
    if (!this.mappings.has(name))
      this.reader.fault(
        [...place, key],
        `there is no mapping "${name}"`,
        suggestName(name, this.mappings.keys()),
      );
    return this.mappings.get(name);
  }

  private errors(place: Path, sources: readonly ErrorSource[] = []): CompiledError[] {
    return sources.map(({ status }, index) => ({
      status,
      when: this.query([...place, index, 'when']) ?? never,
      message: this.query([...place, index, 'message']),
    }));
  }

  private query(place: Path): CompiledQuery | undefined {
    return this.reader.has(place) ? this.reader.query(place) : undefined;
  }

  private template(place: Path): CompiledTemplate | undefined {
    return this.reader.has(place) ? this.reader.template(place) : undefined;
  }
}
