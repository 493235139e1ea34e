import { LRUCache } from 'lru-cache';

const maxKept = 500;

/** Remembers what was made of the texts that were used last: layouts, patterns and schemas come again and again. */
export function kept<Made extends object>(make: (text: string) => Made): (text: string) => Made {
  const known = new LRUCache<string, Made>({ max: maxKept });
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
