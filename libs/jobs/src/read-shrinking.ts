import { Logger } from '@nestjs/common';
import { isTooLarge } from './retry.js';

const log = new Logger('jobs');

/** Reads a page, and with half the records as long as the provider sends more bytes than are accepted. */
export async function readShrinking<T>(
  read: (records: number) => Promise<T>,
  maxRecords: number,
): Promise<T> {
  for (let records = maxRecords; ; records >>= 1)
    try {
      return await read(records);
    } catch (error) {
      if (!isTooLarge(error) || records <= 1) throw error;
      log.warn({
        message: 'page too large, reading half of it; a lower JOB_PAGE_RECORDS avoids this',
        records,
      });
    }
}
