import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { session } from '../../api/session.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Link } from '../../parts/link.js';
import { Toned } from '../../parts/state.js';
import { CreateAccount } from '../../parts/create-account.js';
import { DemoData } from './demo-data.js';
import { FirstCommand, FirstRecord, useFirstIntegration } from './first-record.js';
import { useDemoAccounts, useProgress, type Progress } from './progress.js';

/** Key under which the browser keeps that the first steps were put away, also for the next tab. */
const dismissedKey = () => `onefold.first-steps.${session.peek()?.organization.id ?? ''}`;

/**
 * Says to who begins what this is, and goes the first four steps with them. What is done is read from the records of the service; all of it is
 * gone once it is done or was dismissed. Data that is made up is named as such as long as there is some.
 */
export function FirstSteps() {
  const demo = useDemoAccounts();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(dismissedKey()) !== null);
  const progress = useProgress(isDismissed ? undefined : demo?.map(({ id }) => id));
  const dismiss = () => {
    localStorage.setItem(dismissedKey(), 'dismissed');
    setDismissed(true);
    announce('The first steps are put away');
    document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <>
      {progress && <Steps progress={progress} onDismiss={dismiss} />}
      <DemoData accounts={demo ?? []} />
    </>
  );
}

function Steps({ progress, onDismiss }: { progress: Progress; onDismiss: () => void }) {
  const integration = useFirstIntegration();
  const [isCreating, setCreating] = useState(false);
  const { hasRecord, hasCommand, hasCustomer, hasSystem } = progress;
  const none = integration === null && <span>Connect a ticketing system first.</span>;
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <p>
        Onefold connects your product to the systems that your customers use. Your product calls one
        API for each domain, such as ticketing, and every system answers in the same shape. Onefold
        keeps customers and their credentials apart, asks their systems, and translates the records.
      </p>
      <ol class="lines first-steps">
        <Step text="See a record, as your product would get it." isDone={hasRecord}>
          {integration ? <FirstRecord integration={integration} /> : none}
        </Step>
        <Step text="Send the same request from a terminal." isDone={hasCommand}>
          {integration ? <FirstCommand integration={integration} /> : none}
        </Step>
        <Step text="Make your first customer: an account of their own." isDone={hasCustomer}>
          <Action operation="accounts_create" onClick={() => setCreating(true)}>
            New account
          </Action>
        </Step>
        <Step
          text="Connect a system of that customer. A mock needs no access anywhere."
          isDone={hasSystem}
        >
          <Link to="/integrations/new?mocks=shown">Connect a system</Link>
        </Step>
      </ol>
      <p class="buttons">
        <button type="button" class="small" onClick={onDismiss}>
          Dismiss the first steps
        </button>
      </p>
      {isCreating && (
        <CreateAccount
          onClose={() => setCreating(false)}
          onCreated={({ id }) => go(`/integrations/new?account=${id}&mocks=shown`)}
        />
      )}
    </section>
  );
}

interface StepProps {
  text: string;
  isDone: boolean;
  children: ComponentChildren;
}

function Step({ text, isDone, children }: StepProps) {
  return (
    <li>
      <Toned tone={isDone ? 'good' : 'none'}>{isDone ? 'Done' : 'To do'}</Toned>
      <span class="grow">{text}</span>
      {children}
    </li>
  );
}
