import type { ManagementSchemas } from '#contract';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import { every } from './point-values.js';
import { ProviderField } from './provider-choice.js';
import { Picks, RowsEditor, type RowsProps } from './rows.js';

export type AdditionalField = ManagementSchemas['AdditionalMappingTemplate'];
type Action = ManagementSchemas['ActionId'];
type DataType = ManagementSchemas['MappingDataType'];
type Kind = ManagementSchemas['AdditionalMappingType'];
type Resource = ManagementSchemas['ResourceId'];

// Records, so that the compiler names a value that the contract has got and this screen has not.
const resources: Record<Resource, string> = {
  alerts: 'Alerts',
  applications: 'Applications',
  audit_logs: 'Audit logs',
  cloudresourceinventory: 'Cloud resources',
  comments: 'Comments',
  compliance: 'Compliance findings',
  devices: 'Devices',
  events: 'Events',
  evidence: 'Evidence',
  findings: 'Findings',
  groups: 'Groups',
  investigations: 'Investigations',
  iocs: 'Indicators of compromise',
  log_providers: 'Log providers',
  posture_scores: 'Posture scores',
  projects: 'Projects',
  scan_activities: 'Scan activities',
  scans: 'Scans',
  threats: 'Threats',
  tickets: 'Tickets',
  users: 'Users',
};
const actions: Record<Action, true> = {
  query: true,
  read: true,
  create: true,
  update: true,
  delete: true,
  patch: true,
};
const dataTypes: Record<DataType, string> = {
  any: 'Any',
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  datetime: 'Date and time',
  array: 'List',
};
const kinds: Record<Kind, string> = {
  recommended: 'Recommended: chosen, unless the customer leaves it out',
  optional: 'Optional: the customer may choose it',
  fixed: 'Fixed: every integration has it',
};

const fresh: AdditionalField = {
  resource: '' as Resource,
  actions: ['query', 'read'],
  source: '',
  destination: '',
  data_type: 'any',
  providers: [every],
  mapping_type: 'optional',
  literal: false,
};

/** Additional fields that integrations of a point have, or may have. */
export function FieldsEditor(props: RowsProps<AdditionalField>) {
  return (
    <RowsEditor
      {...props}
      id="fields"
      title="Additional fields"
      lead="Fields of a system that records get besides those of the domain."
      item="Field"
      empty="None."
      fresh={fresh}
    >
      {(field, change, faultOf) => (
        <>
          <Select
            label="Kind of record"
            value={field.resource}
            fault={faultOf('resource')}
            onChange={(one) => change({ resource: one as Resource })}
          >
            {{ ...(field.resource in resources ? {} : { '': 'Choose …' }), ...resources }}
          </Select>
          <Picks
            title="When somebody wants to"
            choices={Object.keys(actions) as Action[]}
            chosen={field.actions}
            fault={faultOf('actions')}
            onChange={(chosen) => change({ actions: chosen })}
          />
          <Field
            label={field.literal ? 'Value' : 'Field of the system'}
            value={field.source}
            isRequired
            hint={field.literal ? undefined : 'As its API names it.'}
            fault={faultOf('source')}
            onInput={(source) => change({ source })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={field.literal === true}
              onChange={(event) => change({ literal: event.currentTarget.checked })}
            />
            It is the value itself, the same in every record
          </label>
          <Field
            label="Field of the record"
            value={field.destination}
            isRequired
            hint="It is in custom_fields under this name."
            fault={faultOf('destination')}
            onInput={(destination) => change({ destination })}
          />
          <Select
            label="Type"
            value={field.data_type}
            onChange={(one) => change({ data_type: one as DataType })}
          >
            {dataTypes}
          </Select>
          <Select
            label="For"
            value={field.mapping_type ?? 'optional'}
            onChange={(one) => change({ mapping_type: one as Kind })}
          >
            {kinds}
          </Select>
          <ProviderField
            title="Systems"
            domain={props.domain}
            ids={field.providers}
            fault={faultOf('providers')}
            onChange={(ids) => change({ providers: ids as AdditionalField['providers'] })}
          />
        </>
      )}
    </RowsEditor>
  );
}
