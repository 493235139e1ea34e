import { describe, expect, it } from '@jest/globals';
import { completeClass, completeClasses } from './event-class.js';

const completed = (event: object) => {
  const copy = { ...event };
  completeClass(copy);
  return copy;
};

describe('the class and category of an OCSF record', () => {
  it.each([
    [{ class_name: 'Scheduled Job Activity', type_uid: 100602 }, 1006, 1],
    [{ class_name: 'Detection Finding' }, 2004, 2],
    [{ class_name: 'Chat Message Activity', type_uid: 0 }, 98906002, 6],
    [{ type_uid: 300201 }, 3002, 3],
    [{ class_name: 'Of another schema', type_uid: 200499 }, 2004, 2],
    [{ type_uid: 9890200101 }, 98902001, 2],
  ])('are filled in where they are 0: %j', (event, class_uid, category_uid) => {
    const zeros = { ...event, class_uid: 0, category_uid: 0 };
    expect(completed(zeros)).toEqual({ ...event, class_uid, category_uid });
  });

  it('is filled in where one of them is 0', () => {
    expect(completed({ class_uid: 2004, category_uid: 0 })).toMatchObject({ category_uid: 2 });
    const named = { class_name: 'Authentication', class_uid: 0, category_uid: 3 };
    expect(completed(named)).toMatchObject({ class_uid: 3002, category_uid: 3 });
  });

  it.each([
    [{ class_name: 'Base Event', class_uid: 0, category_uid: 0, type_uid: 0 }],
    [{ class_uid: 0, category_uid: 0, type_uid: 99 }],
    [{ class_uid: 0, category_uid: 0 }],
    [{ class_uid: 0, category_uid: 0, type_uid: 'x' }],
    [{ class_uid: 7, category_uid: 7, class_name: 'Authentication' }],
    [{ class_name: 'Authentication' }],
  ])('stay as they are: %j', (event) => {
    expect(completed(event)).toEqual(event);
  });

  it('are filled in for each record of a body', () => {
    const zero = () => ({ class_uid: 0, category_uid: 2, class_name: 'Detection Finding' });
    const done = { ...zero(), class_uid: 2004 };
    for (const [body, expected] of [
      [
        [zero(), zero(), null, 7],
        [done, done, null, 7],
      ],
      [
        { findings: [zero()], other: 1 },
        { findings: [done], other: 1 },
      ],
      [zero(), done],
      [null, null],
      ['text', 'text'],
    ]) {
      completeClasses(body);
      expect(body).toEqual(expected);
    }
  });
});
