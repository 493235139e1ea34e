type Tone = 'good' | 'bad' | 'warn' | 'none';

interface StateText {
  label: string;
  tone: Tone;
  /** The one who has to do something. */
  turn: string;
  explanation: string;
}

/** The states of integrations, in the order of their urgency. */
export const states: Readonly<Record<string, StateText>> = {
  credentials_refused: {
    label: 'Credentials refused',
    tone: 'bad',
    turn: 'customer',
    explanation: 'The provider refuses the credential. The customer has to give a new one.',
  },
  permission_missing: {
    label: 'Permission missing',
    tone: 'bad',
    turn: 'customer',
    explanation:
      'The credential works, but lacks a permission. The customer has to grant it at the provider.',
  },
  failing: {
    label: 'Failing',
    tone: 'bad',
    turn: 'host',
    explanation:
      'The provider’s response is invalid, or a mapping fails on it. This is ours to fix.',
  },
  unavailable: {
    label: 'Unavailable',
    tone: 'warn',
    turn: 'provider',
    explanation: 'The provider does not respond, or not in time.',
  },
  rate_limited: {
    label: 'Rate limited',
    tone: 'warn',
    turn: 'provider',
    explanation: 'The provider’s rate limit is reached. Calls go on when it allows them.',
  },
  healthy: {
    label: 'Healthy',
    tone: 'good',
    turn: 'nobody',
    explanation: 'The last call succeeded.',
  },
  new: {
    label: 'New',
    tone: 'none',
    turn: 'nobody',
    explanation: 'There was no call yet, or the counters were reset since.',
  },
};

export function stateOf(name: string): StateText {
  return states[name] ?? { label: name, tone: 'none', turn: 'nobody', explanation: '' };
}

export function State({ name }: { name: string }) {
  const { label, tone } = stateOf(name);
  return <Toned tone={tone}>{label}</Toned>;
}

/** A state in words, with a mark whose shape differs too, so that nobody has to see its colour. */
export function Toned({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class={`state ${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {tone === 'good' && <circle cx="6" cy="6" r="5" />}
        {tone === 'bad' && <path d="M1 1h10v10h-10z" />}
        {tone === 'warn' && <path d="M6 .5l5.8 11h-11.600z" />}
        {tone === 'none' && <circle cx="6" cy="6" r="4" class="hollow" />}
      </svg>
      {children}
    </span>
  );
}
