import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Complete } from '../../parts/completion.js';
import { expressionCompletion } from '../../parts/mappings/expression-completion.js';
import { useLanguage } from '../../parts/mappings/use-completion.js';
import { keyCompletion } from './document-keys.js';

/** Returns what completes a provider document: its keys by their schema, then the expressions in it. */
export function useDocumentCompletion(): Complete {
  const language = useLanguage();
  const [schema, setSchema] = useState<object>();
  useEffect(() => {
    let isGone = false;
    // Without the schema, the editor works as before and completes no keys.
    import('../../../../../libs/provider-document/src/provider-document.schema.json').then(
      ({ default: loaded }) => isGone || setSchema(loaded),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return useMemo(() => {
    const keys = schema && keyCompletion(schema);
    const expressions = language && expressionCompletion({ ...language, fieldsOf: () => [] });
    return (text, offset) => keys?.(text, offset) ?? expressions?.(text, offset);
  }, [language, schema]);
}
