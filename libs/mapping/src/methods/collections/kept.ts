import { LRUCache } from 'lru-cache';

const maxKept = 500;

interface Weight<Made> {
  /** How heavy one is. */
  weigh: (made: Made) => number;
  /** Weight of all that is kept. */
  maxWeight: number;
}

/** Remembers what was made of the texts that were used last: layouts, patterns and schemas come again and again. */
export function kept<Made extends object>(
  make: (text: string) => Made,
  { weigh, maxWeight }: Weight<Made> = { weigh: () => 1, maxWeight: maxKept },
): (text: string) => Made {
  const known = new LRUCache<string, Made>({
    max: maxKept,
    maxSize: maxWeight,
    sizeCalculation: weigh,
  });
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
