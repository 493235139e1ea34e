const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days of a month, 1 to 12. */
export function daysOfMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] as number);
}

/** Days from 1970-01-01 to a date of the Gregorian calendar; a month is 1 to 12. */
export function dayNumber(year: number, month: number, day: number): number {
  // Years begin in March here, so that the leap day is the last one; eras have 400 years.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468;
}

/** The date of a day since 1970-01-01; its month is 1 to 12. */
export function dateOfDay(days: number): { year: number; month: number; day: number } {
  const since = days + 719_468;
  const era = Math.floor(since / 146_097);
  const dayOfEra = since - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** The number that so many digits of a text make; -1 where one of them is none. */
export function digitsAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    // Behind the end there is NaN, which fails this too.
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** The nanoseconds of a fraction of a second, from its digits; undefined where there is none. At most nine digits count. */
export function fractionAt(
  text: string,
  from: number,
  maxDigits: number,
): { nanosecond: number; end: number } | undefined {
  let [nanosecond, end] = [0, from];
  for (
    let factor = 100_000_000;
    end - from < maxDigits;
    end += 1, factor = Math.floor(factor / 10)
  ) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    nanosecond += digit * factor;
  }
  return end === from ? undefined : { nanosecond, end };
}

const twoDigits = Array.from({ length: 100 }, (_one, number) => String(number).padStart(2, '0'));

/** A number from 0 to 99 as two digits. */
export const two = (number: number): string => twoDigits[number] ?? String(number).padStart(2, '0');
export const three = (number: number): string => String(number).padStart(3, '0');
export const four = (number: number): string => String(number).padStart(4, '0');
