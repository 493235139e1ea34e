import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { go } from '../../location.js';
import { announce } from '../../parts/announce.js';
import { Dialog } from '../../parts/dialog.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Loaded } from '../../parts/loaded.js';
import { NameFields } from '../../parts/name-fields.js';
import { Select } from '../../parts/select.js';
import { type Chosen, environmentsOf, every } from './point-values.js';
import { type Domains, ProviderChoice, releasedIn, useDomains } from './provider-choice.js';

const title = 'New integration point';

/** Opens the form once the domains are read, by which it proposes what production is offered. */
export function CreatePoint({ onClose }: { onClose: () => void }) {
  const domains = useDomains();
  if (domains.data) return <PointForm domains={domains.data.result} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded of={domains} lines={6}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

interface PointFormProps {
  domains: Domains;
  onClose: () => void;
}

/** The key makes a request that is sent twice create one point. */
function PointForm({ domains, onClose }: PointFormProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [names, setNames] = useState({ name: '', fullname: '' });
  const [domain, setDomain] = useState('ticketing');
  const [picked, setPicked] = useState<Chosen>();
  // Customers in production are not offered mocks, nor what nothing has shown to work, unless somebody says so.
  const chosen = picked ?? { test: [every], prod: releasedIn(domains, domain) };
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const create = () => {
    setTried(true);
    const [name, fullname] = [names.name.trim(), names.fullname.trim()];
    if (name === '') return;
    void run(async (signal) => {
      const body = {
        name,
        connector: domain,
        environments: environmentsOf(chosen),
        ...(fullname === '' ? {} : { fullname }),
      };
      const { result } = await call(
        'integrationPoints_create',
        { body, idempotencyKey: key },
        signal,
      );
      await cache.invalidateQueries({ queryKey: ['integrationPoints_list'] });
      announce(`${result.fullname ?? result.name} is created`);
      onClose();
      go(`/points/${result.id}`);
    });
  };
  const faults = faultsOf(error);
  const rest = errorBeside(error, (place) => ['/name', '/fullname'].includes(place));
  return (
    <FormDialog
      title={title}
      operation="integrationPoints_create"
      action="Create integration point"
      busy="Creating …"
      isBusy={isBusy}
      onClose={onClose}
      error={rest}
      onSubmit={create}
    >
      <NameFields
        names={names}
        isTried={isTried}
        faults={faults}
        onChange={setNames}
        hint="For your programs: it is unique, such as help-desk."
      />
      <Select
        label="Domain"
        value={domain}
        onChange={(id) => {
          setDomain(id);
          setPicked(undefined);
        }}
      >
        {Object.fromEntries(domains.map((one) => [one.id, one.fullname]))}
      </Select>
      <ProviderChoice domain={domain} chosen={chosen} onChange={setPicked} />
    </FormDialog>
  );
}
