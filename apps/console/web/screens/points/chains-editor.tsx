import { Operation } from '../../parts/in-words.js';
import type { ManagementSchemas } from '#contract';
import { operationsOfDomain } from '../../api/operations.js';
import { mayCall } from '../../api/permissions.js';
import { MappingChoice } from '../../parts/mappings/mapping-choice.js';
import { TextArea } from '../../parts/text-area.js';
import { linesIn } from './lines.js';
import { every } from './point-values.js';
import { ProviderField } from './provider-choice.js';
import { Picks, RowsEditor, type RowsProps } from './rows.js';

export type Chain = ManagementSchemas['MappingChainTemplate'];

/** Mapping chains that integrations of a point have, unless they have one of their own. */
export function ChainsEditor(props: RowsProps<Chain>) {
  const { domain } = props;
  return (
    <RowsEditor
      {...props}
      id="chains"
      title="Mappings"
      lead="What integrations make of records, unless they have a chain of their own."
      item="Chain"
      empty="None: the systems’ own mappings."
      fresh={{ operation_ids: [], providers: [every], mappings: ['default:0'] }}
    >
      {(chain, change, faultOf) => (
        <>
          <Picks
            title="Operations"
            choices={operationsOfDomain(domain)}
            chosen={chain.operation_ids}
            nameOf={(id) => <Operation id={id} />}
            fault={faultOf('operation_ids')}
            onChange={(operation_ids) => change({ operation_ids })}
          />
          <ProviderField
            title="Systems"
            domain={domain}
            ids={chain.providers}
            fault={faultOf('providers')}
            onChange={(ids) => change({ providers: ids as Chain['providers'] })}
          />
          <TextArea
            label="Mappings, in their order"
            rows={Math.min(8, Math.max(3, chain.mappings.length + 1))}
            value={chain.mappings.join('\n')}
            hint="A name in each line. default:0 is the system’s own mapping."
            fault={faultOf('mappings')}
            onInput={(text) => change({ mappings: text.split('\n') })}
          />
          {mayCall('mappings_list') && (
            <MappingChoice
              label="Put a stored mapping at the end"
              chosen=""
              by="name"
              onChoose={(name) => change({ mappings: [...linesIn(chain.mappings), name] })}
            />
          )}
        </>
      )}
    </RowsEditor>
  );
}
