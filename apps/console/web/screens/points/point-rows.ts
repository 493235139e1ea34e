import type { AdditionalField } from './fields-editor.js';
import type { Chain } from './chains-editor.js';
import { linesIn } from './lines.js';
import {
  type Chosen,
  chosenOf,
  environmentsOf,
  type Point,
  type PointFields,
} from './point-values.js';
import { type Row, rowsOf, valuesIn } from './rows.js';
import type { Schedule } from './schedules-editor.js';

/** Lists of a point while they are edited, by their names in the API. */
export interface PointRows {
  mappings: readonly Row<Chain>[];
  additional_mappings: readonly Row<AdditionalField>[];
  scheduled_operations: readonly Row<Schedule>[];
}

export function rowsOfPoint(point: Point): PointRows {
  return {
    mappings: rowsOf(point.mappings),
    additional_mappings: rowsOf(point.additional_mappings),
    scheduled_operations: rowsOf(point.scheduled_operations),
  };
}

interface Edited {
  fullname: string;
  description: string;
  chosen: Chosen;
  rows: PointRows;
}

/** The fields of a point that differ from those of the record. */
export function changedFields(base: Point, edited: Edited): Partial<PointFields> {
  const wanted = fieldsOf(base.name, edited);
  const before = fieldsOf(base.name, {
    fullname: base.fullname ?? '',
    description: base.description ?? '',
    chosen: chosenOf(base),
    rows: rowsOfPoint(base),
  });
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PointFields]),
  );
  return Object.fromEntries(changed);
}

function fieldsOf(name: string, { fullname, description, chosen, rows }: Edited): PointFields {
  return {
    fullname: fullname.trim() || name,
    description,
    environments: environmentsOf(chosen),
    mappings: valuesIn(rows.mappings).map((one) => ({ ...one, mappings: linesIn(one.mappings) })),
    additional_mappings: valuesIn(rows.additional_mappings),
    scheduled_operations: valuesIn(rows.scheduled_operations).map(withoutEmpty),
  };
}

/** A schedule without the optional fields that nobody has filled in. */
function withoutEmpty(schedule: Schedule): Schedule {
  const { filters, backfill_from_time, incremental_config, sink_integration_id, ...rest } =
    schedule;
  const lines = linesIn(filters);
  const { time_filter_field, ...config } = incremental_config ?? {};
  return {
    ...rest,
    ...(lines.length === 0 ? {} : { filters: lines }),
    ...(backfill_from_time?.trim() ? { backfill_from_time: backfill_from_time.trim() } : {}),
    ...(sink_integration_id?.trim() ? { sink_integration_id: sink_integration_id.trim() } : {}),
    ...(incremental_config
      ? {
          incremental_config: {
            ...(config as NonNullable<Schedule['incremental_config']>),
            ...(time_filter_field?.trim() ? { time_filter_field: time_filter_field.trim() } : {}),
          },
        }
      : {}),
  };
}

/** Finds what the API would take and nobody means, by place in the body: a chain for no operation, a field without a name. */
export function missingIn(rows: PointRows): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const need = (place: string, isGiven: boolean, message: string) => {
    if (!isGiven) found.set(place, message);
  };
  for (const [at, { operation_ids, mappings, providers }] of valuesIn(rows.mappings).entries()) {
    need(`/mappings/${at}/operation_ids`, operation_ids.length > 0, 'Choose an operation.');
    need(`/mappings/${at}/providers`, providers.length > 0, 'Choose a system.');
    need(`/mappings/${at}/mappings`, linesIn(mappings).length > 0, 'Name a mapping.');
  }
  for (const [at, field] of valuesIn(rows.additional_mappings).entries()) {
    const place = `/additional_mappings/${at}`;
    need(`${place}/resource`, (field.resource as string) !== '', 'Choose one.');
    need(`${place}/actions`, field.actions.length > 0, 'Choose at least one.');
    need(
      `${place}/source`,
      field.source.trim() !== '' || field.literal === true,
      'This is needed.',
    );
    need(`${place}/destination`, field.destination.trim() !== '', 'This is needed.');
    need(`${place}/providers`, field.providers.length > 0, 'Choose a system.');
  }
  for (const [at, { frequency }] of valuesIn(rows.scheduled_operations).entries())
    need(`/scheduled_operations/${at}/frequency`, frequency.value.trim() !== '', 'This is needed.');
  return found;
}

const shown = [
  /^\/(?:fullname|description)$/,
  /^\/mappings\/\d+\/(?:operation_ids|providers|mappings)(?:\/|$)/,
  /^\/additional_mappings\/\d+\/(?:resource|actions|source|destination|providers)(?:\/|$)/,
  /^\/scheduled_operations\/\d+\/(?:operation|frequency|filters|backfill_from_time|sink_integration_id)(?:\/|$)/,
];

/** Whether the form shows a fault of a place in the body beside a field. */
export function isShown(place: string): boolean {
  return shown.some((one) => one.test(place));
}
