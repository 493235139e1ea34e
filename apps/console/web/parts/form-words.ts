import { createContext } from 'preact';
import type { FaultWords } from '../forms/values.js';
import { faultWords } from '../forms/values.js';

/** A text of a provider document, and its language where the page may be in another one. */
export interface ProviderText {
  text: string;
  language?: string;
}

/** The words of forms, which the Connect UI has in several languages. */
export interface FormWords extends FaultWords {
  optional: (count: number) => string;
  choose: string;
  kind: string;
  credential: string;
  onePerLine: string;
  asJson: string;
  /** The values of a choice between true and false. */
  yes: string;
  no: string;
  /** Buttons that show and hide what was typed into a field for a secret; without these words there are none. */
  secrets?: { show: string; hide: string };
  /** The hint of a field, from that of the provider document. */
  hint: (given: string) => ProviderText;
  /** Says of a field for a list which values each may be. */
  anyOf: (values: readonly string[]) => string;
  /** The label of a field or kind of credential: the given one unless the language has its own for the name. */
  label: (name: string, given: string) => string;
}

export const FormWordsContext = createContext<FormWords>({
  ...faultWords,
  optional: (count) => (count === 1 ? 'One optional field' : `${count} optional fields`),
  choose: 'Choose …',
  kind: 'Kind',
  credential: 'Credential',
  onePerLine: 'One per line.',
  asJson: 'As JSON.',
  yes: 'Yes',
  no: 'No',
  hint: (text) => ({ text }),
  anyOf: (values) => `Any of ${values.join(', ')}.`,
  label: (_name, given) => given,
});
