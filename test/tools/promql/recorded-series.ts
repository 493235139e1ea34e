/** Labels of a series; its metric is `__name__`. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels: Labels;
  value: number;
}

/** A point in time, in seconds. Without a value the series ended there, as Prometheus marks it. */
interface Point {
  at: number;
  value: number | undefined;
}

/** Reads what `/metrics` of a process prints. */
export function readExposition(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, inside = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const labels = Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text]));
    return [
      { labels: { __name__: name, ...labels }, value: value === '+Inf' ? Infinity : Number(value) },
    ];
  });
}

/** Series as Prometheus stores them: what is scraped of each process, and where a series ends. */
export class RecordedSeries {
  private readonly series = new Map<string, { labels: Labels; points: Point[] }>();
  /** The series of the last scrape of each process. */
  private readonly scraped = new Map<string, ReadonlySet<string>>();

  /** Adds a scrape of a process. @param samples undefined for one that did not answer */
  scrape(at: number, instance: string, samples: readonly Sample[] | undefined): void {
    const keys = new Set<string>();
    const found = (samples ?? []).map(({ labels, value }) => ({
      labels: { ...labels, instance },
      value,
    }));
    for (const sample of [
      ...found,
      { labels: { __name__: 'up', instance }, value: samples ? 1 : 0 },
    ])
      keys.add(this.add(at, sample));
    for (const key of this.scraped.get(instance) ?? [])
      if (!keys.has(key)) this.series.get(key)?.points.push({ at, value: undefined });
    this.scraped.set(instance, keys);
  }

  /** Returns the series with labels that match, with their points between two moments, both included. */
  select(matches: (labels: Labels) => boolean, from: number, to: number) {
    return [...this.series.values()].flatMap(({ labels, points }) => {
      if (!matches(labels)) return [];
      const begin = firstFrom(points, from);
      const within = points.slice(begin, firstFrom(points, to, begin, true));
      return within.length === 0 ? [] : [{ labels, points: within }];
    });
  }

  /** The names of all metrics with the labels of each. */
  get shapes(): Map<string, Set<string>> {
    const shapes = new Map<string, Set<string>>();
    for (const { labels } of this.series.values()) {
      const { __name__: name = '', ...rest } = labels;
      const known = shapes.get(name) ?? new Set();
      shapes.set(name, known);
      for (const label of Object.keys(rest)) known.add(label);
    }
    return shapes;
  }

  private add(at: number, { labels, value }: Sample): string {
    const key = keyOf(labels);
    const known = this.series.get(key) ?? { labels, points: [] };
    this.series.set(key, known);
    known.points.push({ at, value });
    return key;
  }
}

/** Returns the index of the first point at a moment or later. @param isAfter later only */
function firstFrom(points: readonly Point[], at: number, begin = 0, isAfter = false): number {
  let [low, high] = [begin, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const time = points[middle]?.at ?? Infinity;
    if (time < at || (isAfter && time === at)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Identifies a set of labels. */
export function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([one], [two]) => (one < two ? -1 : 1)));
}
