import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Done } from './access.js';
import { AccessStep } from './access-step.js';
import { keptAuthorization } from './authorize.js';
import { ChooseStep } from './choose-step.js';
import { DoneStep } from './done-step.js';
import { tell } from './host.js';
import { leave } from './leave.js';
import { ManageStep } from './manage-step.js';
import { finish, session } from './session.js';

/** The provider whose form is shown. */
export const shownProvider = signal<string | undefined>(undefined);

/** Provider, access, done. The first is left out where there is nothing to choose; a session that manages begins with the integration. */
export function Steps() {
  const { providers = [], integration_id: integrationId } = session.value ?? {};
  const [only] = providers;
  const isSettled = integrationId || (providers.length === 1 && only !== '*');
  const [chosen, setChosen] = useState(() => keptAuthorization()?.providerId);
  const [done, setDone] = useState<Done>();
  const isManaged = session.value?.mode === 'manage';
  const [isRenewing, setRenewing] = useState(() => keptAuthorization() !== undefined);
  const providerId = isSettled ? only : chosen;
  useEffect(() => {
    shownProvider.value = providerId;
  }, [providerId]);
  const complete = (result: Done) => {
    finish();
    setDone(result);
    const { integrationId: integration_id, providerId: provider_id, isCreated: created } = result;
    if (!result.isDeleted) tell({ type: 'complete', integration_id, provider_id, created });
    leave('complete');
  };
  if (done) return <DoneStep done={done} />;
  if (isManaged && !isRenewing)
    return (
      <ManageStep
        onRenew={() => setRenewing(true)}
        onDeleted={(deleted) => complete({ ...deleted, isCreated: false, isDeleted: true })}
      />
    );
  if (providerId === undefined)
    return (
      <ChooseStep
        onChoose={(id) => {
          setChosen(id);
          tell({ type: 'provider_selected', provider_id: id });
        }}
      />
    );
  return (
    <AccessStep
      key={providerId}
      providerId={providerId}
      onDone={complete}
      {...(isSettled ? {} : { onChange: () => setChosen(undefined) })}
    />
  );
}
