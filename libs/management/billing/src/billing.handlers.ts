import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  ApiError,
  badRequest,
  type Call,
  type ManagementSchemas,
  notFound,
  type Reply,
} from '#contract';
import { ManagementContext } from '#management/core';
import { comparer, type Fields, matcher, parseFilter, parseOrder } from '#query';
import { Organization, organizationQueries, type Reader, understood } from '#store';
import { csvOf, linesByIntegration, linesByProvider } from './report-lines.js';
import { type Period, periods, yearAndMonth } from './report-period.js';

type Billing = ManagementSchemas['Billing'];
type Report = Omit<Billing, 'csv_data'>;

interface Due {
  organization: Organization;
  period: Period;
  report: Report;
}

const defaultLimit = 100;
/** A page ends after the report that makes it longer than this many characters. */
const maxPageLength = 8_000_000;

const text = { type: 'string' } as const;
const time = { type: 'datetime' } as const;
const fields: Fields = {
  name: text,
  organization_id: text,
  month: text,
  report_date: time,
  created_at: time,
  updated_at: time,
};

/** `/v1/billing`: usage of an organization and its sub-organizations, by month, as CSV. */
@Controller()
export class BillingHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('billing_list')
  async list(call: Call<'billing_list'>): Promise<Reply<'billing_list'>> {
    const select = selection(call.query);
    return await this.context.read(call, async (tx) => {
      const due = (await organizationQueries.listWithChildren(tx)).flatMap((one) => this.due(one));
      const result: Billing[] = [];
      let length = 0;
      for (const one of select(due)) {
        result.push(await billing(tx, one));
        length += result.at(-1)?.csv_data.length ?? 0;
        if (length > maxPageLength) break;
      }
      return { result };
    });
  }

  @Handles('billing_get')
  async get(call: Call<'billing_get'>): Promise<Reply<'billing_get'>> {
    const { organizationId: key, month } = call.path;
    return await this.context.read(call, async (tx) => {
      const organization = (await organizationQueries.listWithChildren(tx)).find(
        ({ id, name }) => id === key || name === key,
      );
      if (organization === undefined) throw notFound('sub_org', key);
      const due = this.due(organization).find(({ period }) => period.month === month);
      if (due === undefined)
        throw new ApiError(404, `there is no report of ${organization.name} for ${month}`, {
          remediation: 'GET /v1/billing lists the reports.',
        });
      return { result: await billing(tx, due) };
    });
  }

  /** Lists the reports of an organization, oldest first. */
  private due(organization: Organization): Due[] {
    const now = this.context.now();
    return periods(now, organization.createdAt).map((period) => {
      const begun = new Date(Math.max(period.start.getTime(), organization.createdAt.getTime()));
      const until = period.month === 'partial' ? now : period.end;
      const report = {
        name: `${organization.name}-${yearAndMonth(period)}`,
        created_at: begun.toISOString(),
        updated_at: until.toISOString(),
        organization_id: organization.id,
        month: period.month,
        report_date: until.toISOString(),
      };
      return { organization, period, report };
    });
  }
}

/** Reads filter, order and page of a list. @throws ApiError 400 */
function selection(query: Call<'billing_list'>['query']): (due: readonly Due[]) => Due[] {
  const { filter, order, limit, start_after: startAfter } = query;
  const filters = (filter ?? []).map((one) => understood('filter', () => parseFilter(one, fields)));
  const orders = (order ?? []).map((one) => understood('order', () => parseOrder(one, fields)));
  const read = ({ report }: Due, field: string) => report[field as keyof Report];
  const passes = matcher(filters, fields, read);
  const compare = comparer([...orders, { field: 'name', direction: 'asc' }], read);
  return (due) => {
    const rows = due.filter(passes).sort(compare);
    const begin = rows.findIndex(({ report }) => report.name === startAfter) + 1;
    if (startAfter && begin === 0)
      throw badRequest({
        location: 'query',
        pointer: 'start_after',
        message: 'is not a report of this list',
        remediation: 'Send the name of the last report of the previous page.',
        value: startAfter,
      });
    return rows.slice(begin, begin + (limit ?? defaultLimit));
  };
}

async function billing(tx: Reader, { organization, period, report }: Due): Promise<Billing> {
  const own = organization.id === tx.scope.organizationId;
  const lines = own
    ? await linesByIntegration(tx, period)
    : await linesByProvider(tx, organization.id, period);
  return { ...report, csv_data: await csvOf(organization.id, period, lines) };
}
