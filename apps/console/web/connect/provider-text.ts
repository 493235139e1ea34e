import { theme } from './theme.js';

/** Names the product of the host in a text of a provider document, which names us: customers have never heard of us. A name such as `Custom-Onefold` stays. */
export function namingHost(text: string): string {
  const product = theme.value.product_name ?? 'the product that you use';
  return text.replaceAll(/(?<![\w-])Onefold(?![\w-])/g, () => product);
}
