import type { FormWords, ProviderText } from '../parts/form-words.js';
import type { Provider } from './access.js';
import { theme } from './theme.js';
import { formWords, ownText, words } from './words.js';
import en from './words/en.json';

/** A text of the provider: in the language of the page where it has a translation, else in English. */
export function providerText({ translations }: Provider, text: string): ProviderText {
  const { language, texts = {} } = translations ?? {};
  const translated = Object.hasOwn(texts, text) ? texts[text] : undefined;
  if (language === undefined || translated === undefined) {
    const own = ownText(text);
    return own.language === 'en' ? { ...own, text: namingHost(text, en.unnamedProduct) } : own;
  }
  return { text: namingHost(translated, words.value.unnamedProduct), language };
}

/** The words of the form of a provider, whose texts may be translated. */
export function providerWords(provider: Provider): FormWords {
  const { label, ...others } = formWords.value;
  return {
    ...others,
    hint: (given) => providerText(provider, given),
    label: (name, given) => {
      const own = label(name, given);
      return own === given ? providerText(provider, given).text : own;
    },
  };
}

/** Names the product of the host in place of us: customers have never heard of us. A name such as `Custom-Onefold` stays. */
function namingHost(text: string, unnamed: string): string {
  const product = theme.value.product_name ?? unnamed;
  return text.replaceAll(/(?<![\w-])Onefold(?![\w-])/g, () => product);
}
