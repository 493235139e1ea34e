import { useState } from 'preact/hooks';
import { serviceOrigin } from '../../api/service.js';
import { useAttempt } from '../../parts/attempt.js';
import { Toned } from '../../parts/state.js';
import { TextArea } from '../../parts/text-area.js';
import { type Organization, originFault, linesIn } from './form-values.js';

interface Props {
  organization: Organization;
  value: string;
  faults: ReadonlyMap<string, string>;
  onChange: (value: string) => void;
}

/** Pages that may show the Connect UI, and a check of what browsers are told about them. */
export function OriginsField({ organization, value, faults, onChange }: Props) {
  const origins = linesIn(value);
  const wrong = origins.flatMap((one) => originFault(one) ?? []);
  const ofService = [...faults].find(([place]) =>
    place.startsWith('/options/connect/origins'),
  )?.[1];
  return (
    <section class="card" aria-labelledby="origins">
      <h2 id="origins">Pages that may show the Connect UI</h2>
      <TextArea
        label="Allowed origins"
        rows={Math.min(8, Math.max(3, origins.length + 1))}
        value={value}
        hint="One per line: scheme, host and port, such as https://app.example.com. Without one, customers connect by links only."
        fault={wrong.length > 0 ? wrong.join(' ') : ofService}
        onInput={onChange}
      />
      <CheckOrigins organization={organization} origins={origins} />
    </section>
  );
}

/** Reads from the Connect UI's own answer what browsers do, so that nobody copies a snippet that cannot work. */
function CheckOrigins({
  organization,
  origins,
}: {
  organization: Organization;
  origins: readonly string[];
}) {
  const [allowed, setAllowed] = useState<ReadonlySet<string>>();
  const { run, isBusy, error } = useAttempt();
  const check = () =>
    run(async (signal) => {
      setAllowed(undefined);
      setAllowed(await framingOrigins(organization.id, signal));
    });
  return (
    <div class="verify">
      <button type="button" aria-disabled={isBusy} onClick={() => void check()}>
        Check what browsers are told
      </button>
      <div role="status">
        {allowed && (
          <>
            {origins.length === 0 && <p>There is no origin to check.</p>}
            <ul class="checks">
              {origins.map((one) => (
                <li key={one}>
                  {allowed.has(one) ? (
                    <Toned tone="good">May show it</Toned>
                  ) : (
                    <Toned tone="warn">Is refused until you save it</Toned>
                  )}{' '}
                  <code>{one}</code>
                </li>
              ))}
              {[...allowed]
                .filter((one) => !origins.includes(one))
                .map((one) => (
                  <li key={one}>
                    <Toned tone="warn">May show it until you save</Toned> <code>{one}</code>
                  </li>
                ))}
            </ul>
          </>
        )}
      </div>
      {error && (
        <p class="fault" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** Origins that the policy of the page lets frame it. @throws Error if the Connect UI is not served here */
async function framingOrigins(organizationId: string, signal: AbortSignal): Promise<Set<string>> {
  const address = `${serviceOrigin()}/connect/${encodeURIComponent(organizationId)}/`;
  const response = await fetch(address, { signal, cache: 'no-store' });
  if (response.status === 404)
    throw new Error('The Connect UI is not served at this address. The gateway has CONNECT=yes.');
  const policy = response.headers.get('content-security-policy') ?? '';
  const [, list = ''] = /frame-ancestors ([^;]+)/.exec(policy) ?? [];
  return new Set(list.split(/\s+/).filter((one) => one !== '' && one !== "'none'"));
}
