import { mockOverFake } from '../harness/mock-over-fake.js';
import type { OverFake } from '../harness/over-fake.js';
import type { MockWalk } from '../walks/mock-walks.js';
import {
  checkPage,
  type CheckedList,
  type CheckResult,
  compareList,
  pushedFields,
  runChecks,
} from './check-mock.js';
import { type Mistake, type MistakeKind, PlantedFake } from './plant.js';

/** A list of a mock, with its first page as it is without mistakes. */
interface SoundList extends CheckedList {
  page: Awaited<ReturnType<typeof checkPage>>;
  /** Names of the fields of the rows of the routes that it calls. */
  routes: ReadonlyMap<string, readonly string[]>;
  /** False for a list that is not the same as its pages, because it has one page or makes its rows when it is called. */
  isPaged: boolean;
  /** The number of its rows, if it is paged. */
  count: number | undefined;
}

/** A mistake that changed something. `found` is what the checks say of it: nothing if they did not find it. */
export interface Planted {
  where: string;
  found: string | undefined;
}

/** Lists per mock whose rows get mistakes, and fields per list. */
const maxLists = 2;
const maxFields = 3;
/** Fields of which one may be an enumeration. */
const maxTried = 12;
const enumerated = /stat(e|us)|severity|priority|level|kind|type|action|visibility|platform/i;

/** A mock whose fake makes mistakes one after the other. */
export class PlantedMock {
  private constructor(
    private readonly over: OverFake,
    private readonly fake: PlantedFake,
    private readonly walk: MockWalk,
    /** The result of the checks while the fake makes no mistake. */
    readonly sound: CheckResult,
    private readonly lists: readonly SoundList[],
  ) {}

  static async open(walk: MockWalk): Promise<PlantedMock> {
    const fake = new PlantedFake();
    const { folder, type } = walk;
    const over = await mockOverFake({ folder, type, alter: fake.alter });
    const sound = await runChecks(over, walk);
    const called = walk.steps.filter(({ all_pages }) => all_pages !== undefined);
    const paged = new Set(called.map(({ call }) => call));
    const lists: SoundList[] = [];
    // Those with several pages first.
    for (const list of sound.lists.toSorted((a, b) => +paged.has(b.id) - +paged.has(a.id))) {
      if (lists.length === maxLists) break;
      fake.seen.clear();
      const page = await checkPage(over, list);
      const routes = new Map([...fake.seen].map(([key, names]) => [key, [...names.keys()]]));
      if (page.records.length < 2) continue;
      const { fault, count } = await compareList(over, list);
      lists.push({ ...list, page, routes, isPaged: fault === undefined, count });
    }
    return new PlantedMock(over, fake, walk, sound, lists);
  }

  /** Plants mistakes of a kind. @returns those that changed something */
  async plant(kind: MistakeKind): Promise<Planted[]> {
    switch (kind) {
      case 'a field is left out':
      case 'a field has another type':
      case 'there is an unknown field':
        return await this.plantInFields(kind);
      case 'a field has an unknown value':
        return await this.plantUnknownValues();
      case 'a success has the status of a failure':
        return await this.plantInFirst((list) => this.plantInPage(list, { kind }));
      case 'the filter is ignored':
        return await this.plantInFilters(kind);
      case 'an unknown id is found':
      case 'a write is forgotten':
        return await this.plantInWalk(kind);
      default:
        return await this.plantInFirst(async (list) =>
          list.isPaged ? await this.plantInList(list, { kind }) : undefined,
        );
    }
  }

  private async plantInFields(kind: MistakeKind): Promise<Planted[]> {
    const planted: Planted[] = [];
    for (const list of this.lists) {
      const found: Planted[] = [];
      // The records come from the last of its routes.
      for (const [route, names] of [...list.routes].reverse())
        for (const field of kind === 'there is an unknown field'
          ? ['']
          : names.slice(0, maxTried)) {
          if (found.length === maxFields) break;
          const one = await this.plantInPage(list, { kind, route, field });
          if (one !== undefined) found.push(one);
        }
      planted.push(...found);
    }
    return planted;
  }

  /** Fields are not told from enumerations, so that one of them has to be found. */
  private async plantUnknownValues(): Promise<Planted[]> {
    const kind = 'a field has an unknown value';
    let first: Planted | undefined;
    for (const list of this.lists) {
      const fields = [...list.routes]
        .flatMap(([route, names]) => names.map((field) => ({ route, field })))
        .sort((a, b) => +enumerated.test(b.field) - +enumerated.test(a.field));
      for (const place of fields.slice(0, maxTried)) {
        const one = await this.plantInPage(list, { kind, ...place });
        if (one?.found !== undefined) return [one];
        first ??= one;
      }
    }
    return first === undefined ? [] : [first];
  }

  /** Every row is held against the filter here again, so that the number of rows which the vendor sends shows it. */
  private async plantInFilters(kind: MistakeKind): Promise<Planted[]> {
    return await this.plantInFirst(async (list) => {
      if (!list.isPaged) return undefined;
      for (const field of pushedFields(this.over, list)) {
        this.fake.reset();
        if ((await compareList(this.over, list, [field])).fault !== undefined) continue;
        const { sent } = this.fake;
        const one = await this.plantInList(list, { kind }, [field]);
        if (one === undefined) continue;
        return {
          ...one,
          found: one.found ?? (one.sent > sent ? 'more rows than pass' : undefined),
        };
      }
      return undefined;
    });
  }

  /** Plants in the first list in which something changes. */
  private async plantInFirst(
    plant: (list: SoundList) => Promise<Planted | undefined>,
  ): Promise<Planted[]> {
    for (const list of this.lists) {
      const one = await plant(list);
      if (one !== undefined) return [one];
    }
    return [];
  }

  /** @returns undefined if no record of the page changes */
  private async plantInPage(list: SoundList, mistake: Mistake): Promise<Planted | undefined> {
    const { page } = list;
    const { fault, coverage, records } = await this.during(mistake, () =>
      checkPage(this.over, list),
    );
    const isSame = textOf(records) === textOf(page.records);
    if (this.fake.planted === 0 || (fault === undefined && isSame)) return undefined;
    const where = [list.id, mistake.route, mistake.field].filter(Boolean).join(', ');
    return { where, found: fault ?? page.coverage.differences(coverage)[0] };
  }

  private async plantInList(
    list: SoundList,
    mistake: Mistake,
    fields: readonly string[] = [],
  ): Promise<(Planted & { sent: number }) | undefined> {
    const { fault: found } = await this.during(mistake, () =>
      compareList(this.over, list, fields, list.count),
    );
    const { planted, sent } = this.fake;
    return planted === 0 ? undefined : { where: [list.id, ...fields].join(', '), found, sent };
  }

  private async plantInWalk(kind: MistakeKind): Promise<Planted[]> {
    const { fault, coverage } = await this.during({ kind }, () => runChecks(this.over, this.walk));
    if (this.fake.planted === 0) return [];
    const found = fault ?? this.sound.coverage.differences(coverage)[0];
    return [{ where: this.walk.type, found }];
  }

  private async during<T>(mistake: Mistake, work: () => Promise<T>): Promise<T> {
    this.fake.reset(mistake);
    try {
      return await work();
    } finally {
      this.fake.mistake = undefined;
    }
  }
}

/** Records as text, without times of this moment: records of a state are as old as their call. */
function textOf(records: unknown[]): string {
  const now = Date.now();
  return JSON.stringify(records, (_name, value: unknown) =>
    typeof value === 'number' && Math.abs(now - value) < nowMs ? 0 : value,
  );
}

const nowMs = 600_000;
