import type { ManagementSchemas } from '#contract';
import { operationsOfDomain } from '../../api/operations.js';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import { TextArea } from '../../parts/text-area.js';
import { RowsEditor, type RowsProps } from './rows.js';

export type Schedule = ManagementSchemas['OperationSchedule'];
type Frequency = Schedule['frequency'];
type Event = ManagementSchemas['WebhookEvent'];
type ListId = ManagementSchemas['ScheduledOperationId'];
type Mode = ManagementSchemas['OperationIncrementalPullMode'];

// Records, so that the compiler names a value that the contract has got and this screen has not.
const lists: Record<ListId, true> = {
  assets_query_devices: true,
  assets_query_alerts: true,
  assets_query_utilization: true,
  assets_query_vulnerabilities: true,
  cloudsecurity_query_cloud_resource_inventory: true,
  cloudsecurity_query_compliance_findings: true,
  cloudsecurity_query_events: true,
  cloudsecurity_query_ioms: true,
  cloudsecurity_query_threats: true,
  edr_query_alerts: true,
  edr_query_applications: true,
  edr_query_endpoints: true,
  edr_query_iocs: true,
  edr_query_posture_score: true,
  edr_query_threatevents: true,
  identity_query_audit_log: true,
  identity_query_groups: true,
  identity_query_groups_enriched: true,
  identity_query_users: true,
  identity_query_users_enriched: true,
  siem_query_events: true,
  siem_query_investigations: true,
  vulnerabilities_query_assets: true,
  vulnerabilities_query_findings: true,
  vulnerabilities_query_scans: true,
  appsec_query_findings: true,
  ticketing_query_tickets: true,
};
const events: Record<Event, true> = {
  TicketCreated: true,
  TicketUpdated: true,
  TicketDeleted: true,
  TicketCommentCreated: true,
  TicketCommentDeleted: true,
};
const modes: Record<Mode | '', string> = {
  '': 'The list, as it is',
  incremental: 'What is new since the last run',
  full_snapshot: 'Everything, between two marks',
};

/** Lists of a domain that can be read again and again. */
function listsOf(domain: string): ListId[] {
  const served = new Set<string>(operationsOfDomain(domain));
  return (Object.keys(lists) as ListId[]).filter((id) => served.has(id));
}

/** Jobs that each new integration of a point gets, as far as its system can run them. */
export function SchedulesEditor(props: RowsProps<Schedule>) {
  const offered = listsOf(props.domain);
  const [first] = offered;
  if (first === undefined && props.rows.length === 0)
    return (
      <section class="card" aria-labelledby="schedules">
        <h2 id="schedules">Schedules</h2>
        <p class="empty">No list of this domain can be read on a schedule.</p>
      </section>
    );
  const fresh: Schedule = {
    operation: first ?? ('' as ListId),
    enabled: true,
    frequency: { type: 'periodic', value: '1h' },
  };
  return (
    <RowsEditor
      {...props}
      id="schedules"
      title="Schedules"
      lead="Lists that are read in the background. New integrations get them; those that exist stay as they are."
      item="Schedule"
      empty="None. Lists are read when a program asks for them."
      fresh={fresh}
    >
      {(schedule, change, faultOf) => (
        <>
          <Select
            label="List"
            value={schedule.operation}
            fault={faultOf('operation')}
            onChange={(one) => change({ operation: one as ListId })}
          >
            {Object.fromEntries(offered.map((id) => [id, id]))}
          </Select>
          <label class="check">
            <input
              type="checkbox"
              checked={schedule.enabled}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />
            Switched on
          </label>
          <FrequencyField
            isOfEvents={props.domain === 'ticketing'}
            frequency={schedule.frequency}
            fault={faultOf('frequency')}
            onChange={(frequency) => change({ frequency })}
          />
          <IncrementFields schedule={schedule} change={change} faultOf={faultOf} />
          <TextArea
            label="Filters (optional)"
            rows={3}
            value={(schedule.filters ?? []).join('\n')}
            hint="One per line, as in a list, such as status[eq]open."
            fault={faultOf('filters')}
            onInput={(text) => change({ filters: text.split('\n') })}
          />
          <Field
            label="Begins in the past with (optional)"
            value={schedule.backfill_from_time ?? ''}
            hint="A duration before now, such as 30d, or a time such as 2026-01-31T00:00:00Z."
            fault={faultOf('backfill_from_time')}
            onInput={(backfill_from_time) => change({ backfill_from_time })}
          />
          <Field
            label="Sink (optional)"
            value={schedule.sink_integration_id ?? ''}
            hint="Name of an integration with a sink in the customer’s account; empty is the default sink of the organization."
            fault={faultOf('sink_integration_id')}
            onInput={(sink_integration_id) => change({ sink_integration_id })}
          />
        </>
      )}
    </RowsEditor>
  );
}

interface FrequencyProps {
  frequency: Frequency;
  /** Whether systems of the domain report changes. */
  isOfEvents: boolean;
  fault: string | undefined;
  onChange: (frequency: Frequency) => void;
}

function FrequencyField({ frequency, isOfEvents, fault, onChange }: FrequencyProps) {
  const { type, value } = frequency;
  return (
    <>
      {(isOfEvents || type === 'event') && (
        <Select
          label="Runs"
          value={type}
          onChange={(next) =>
            onChange(
              next === 'event'
                ? { type: 'event', value: 'TicketUpdated' }
                : { type: 'periodic', value: '1h' },
            )
          }
        >
          {{ periodic: 'At intervals', event: 'When the system reports a change' }}
        </Select>
      )}
      {type === 'event' ? (
        <Select
          label="Change"
          value={value}
          fault={fault}
          onChange={(one) => onChange({ type, value: one as Event })}
        >
          {Object.fromEntries(Object.keys(events).map((one) => [one, one]))}
        </Select>
      ) : (
        <Field
          label="Every"
          value={value}
          isRequired
          hint="At least 5m; such as 15m, 1h or 1d."
          fault={fault}
          onInput={(text) => onChange({ type, value: text })}
        />
      )}
    </>
  );
}

interface IncrementProps {
  schedule: Schedule;
  change: (part: Partial<Schedule>) => void;
  faultOf: (field: string) => string | undefined;
}

function IncrementFields({ schedule, change, faultOf }: IncrementProps) {
  const { incremental_config: config } = schedule;
  return (
    <>
      <Select
        label="A run reads"
        value={config?.mode ?? ''}
        onChange={(mode) =>
          change({
            incremental_config: mode === '' ? null : { ...config, mode: mode as Mode },
          })
        }
      >
        {modes}
      </Select>
      {config?.mode === 'incremental' && (
        <Field
          label="Time to go by (optional)"
          value={config.time_filter_field ?? ''}
          hint="A field with a filter; without it, the one that tells when a record was changed."
          fault={faultOf('incremental_config')}
          onInput={(time_filter_field) =>
            change({ incremental_config: { ...config, time_filter_field } })
          }
        />
      )}
    </>
  );
}
