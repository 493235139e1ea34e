import { useEffect, useMemo, useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import type { Complete } from '../completion.js';
import { useApiDocument } from '../../api/api-documents.js';
import { expressionCompletion, type Vocabulary } from './expression-completion.js';
import { actualFields, declaredFields, merged, recordOf } from './record-fields.js';

type Language = Pick<Vocabulary, 'methods' | 'functions'>;

/** The methods and functions of the mapping language, which are loaded for the first editor. */
export function useLanguage(): Language | undefined {
  const [language, setLanguage] = useState<Language>();
  useEffect(() => {
    let isGone = false;
    // Without the table, the editor works as before and completes nothing.
    import('../../generated/mapping-language.json').then(
      ({ default: table }) => isGone || setLanguage(table),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return language;
}

const completesNothing: Complete = () => undefined;

/** Returns what completes a mapping document: the language, fields of the record and fields that the contract has for the operation. */
export function useCompletion(operation: OperationId, sample: string, isWanted: boolean): Complete {
  const language = useLanguage();
  const { api } = useApiDocument('meta_engine_openapi_spec', isWanted);
  return useMemo(() => {
    if (language === undefined) return completesNothing;
    const response = api?.operations.get(operation)?.response;
    const record = response && api ? recordOf(response, api.resolve) : undefined;
    let actual: unknown; // read when it is first asked for: a record may be long
    const actualOnce = () => (actual ??= parsedOr(sample, {}));
    return expressionCompletion({
      ...language,
      fieldsOf: (subject, path) => {
        const declared = record && api ? declaredFields(record, path, api.resolve) : [];
        return subject === 'this' ? merged(actualFields(actualOnce(), path), declared) : declared;
      },
    });
  }, [language, api, operation, sample]);
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise; // the result says that the record is not JSON
  }
}
