import type { ErrorObject, ValidateFunction } from 'ajv';
import { get as readPointer } from './pointer.js';
import type { Operation } from './operations.js';
import type { Fault } from './problem.js';

type Validators = Record<string, ValidateFunction | undefined>;

let loaded: { management: Validators; connector: Validators } | undefined;
/** Operations of the connector API whose validators are in a module of their own: bodies with records of OCSF take megabytes of code. */
let large: ReadonlySet<string> = new Set();

/** Loads the compiled validators (about 10 ms). Must be awaited once before the first {@link validateBody}. */
export async function loadValidators(): Promise<void> {
  const [management, connector] = await Promise.all([
    import('./generated/management.validators.js') as unknown as Promise<Validators>,
    import('./generated/connector.validators.js') as unknown as Promise<
      Validators & { large: readonly string[] }
    >,
  ]);
  large = new Set(connector.large);
  loaded ??= { management, connector: { ...connector } };
}

/** Loads the validator of a body that may have records of OCSF, at its first use (about 50 ms). Must be awaited before {@link validateBody}. */
export async function loadValidatorOf({ id }: Operation): Promise<void> {
  if (loaded === undefined || !large.has(id) || loaded.connector[id] !== undefined) return;
  const others =
    await (import('./generated/connector.large-validators.js') as unknown as Promise<Validators>);
  Object.assign(loaded.connector, others);
}

const maxFaults = 20;
/** Maximum number of Ajv errors considered: several can be about one place, and a body can have one for each of its values. */
const maxErrors = 200;

/** Validates a JSON body against the contract and returns its faults; none for an operation without a JSON body. */
export function validateBody(operation: Operation, body: unknown): Fault[] {
  if (loaded === undefined) throw new Error('call loadValidators() before the first validation');
  const validate = loaded[operation.side][operation.id];
  if (validate === undefined && large.has(operation.id))
    throw new Error(`call loadValidatorOf(${operation.id}) before the first validation`);
  if (validate === undefined || validate(body)) return [];
  const faults = (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .slice(0, maxErrors)
    .map((error) => faultOf(error, body))
    .map((fault) => (mayContainSecret(operation, fault.pointer) ? withholdValue(fault) : fault));
  const seen = new Set<string>();
  return faults
    .filter(({ pointer, message }) => {
      const key = `${pointer} ${message}`;
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, maxFaults);
}

function faultOf(error: ErrorObject, body: unknown): Fault {
  const at = error.instancePath;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return {
        location: 'body',
        pointer: `${at}/${escape(String(params['missingProperty']))}`,
        message: 'is required',
        remediation: 'Add the field.',
      };
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).filter((value) => value !== null);
      return faultAt(
        at,
        body,
        'has a value that is not known',
        `Use one of ${listValues(allowed)}.`,
      );
    }
    case 'const':
      return faultAt(at, body, `must be ${JSON.stringify(params['allowedValue'])}`);
    case 'discriminator': {
      const tag = String(params['tag']);
      return faultAt(
        `${at}/${escape(tag)}`,
        body,
        `has an unknown value`,
        `Set "${tag}" to one of the values in the contract.`,
      );
    }
    case 'type':
      return faultAt(at, body, `must be ${[params['type']].flat().join(' or ')}`);
    case 'format':
      if (params['format'] === 'base64')
        return faultAt(at, undefined, 'is not base64', 'Encode the bytes of the file in base64.');
      return faultAt(
        at,
        body,
        `must be a ${String(params['format'])}`,
        formatHint(String(params['format'])),
      );
    default:
      return faultAt(at, body, error.message ?? `violates the rule "${error.keyword}"`);
  }
}

function faultAt(pointer: string, body: unknown, message: string, remediation?: string): Fault {
  const value = readPointer(body, pointer);
  return {
    location: 'body',
    pointer,
    message,
    ...(remediation === undefined ? {} : { remediation }),
    // Objects are left out: they could be as large as the body, and may contain secrets.
    ...(value === null || ['string', 'number', 'boolean'].includes(typeof value) ? { value } : {}),
  };
}

function withholdValue(fault: Fault): Fault {
  return 'value' in fault ? { ...fault, value: '[secret]' } : fault;
}

/**
 * True if a place is secret, is inside a secret, or contains one: `"config": "hunter2"` may expose a secret even though an object is
 * expected there.
 */
function mayContainSecret({ secrets }: Operation, pointer: string): boolean {
  const at = pointer.split('/');
  return secrets.some((secret) => {
    const marked = secret.split('/');
    const shared = Math.min(at.length, marked.length);
    return marked.slice(0, shared).every((part, index) => part === '*' || part === at[index]);
  });
}

function formatHint(format: string): string {
  return format === 'date-time'
    ? 'Write it as 2026-01-31T12:00:00Z.'
    : `See the definition of ${format} in JSON Schema.`;
}

function listValues(values: unknown[]): string {
  const shown = values.slice(0, 12).map(String).join(', ');
  return values.length > 12 ? `${shown} and ${values.length - 12} more` : shown;
}

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
