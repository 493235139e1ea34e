import type { ResolvedIntegration } from '#bus';
import { ApiError } from '#contract';
import type { Metrics } from '#observe';
import type { CallWait, ProviderHttp } from '#provider-http';
import { DatabaseUnavailable } from '#store';

/** How an operation ended at its provider. `caller` is a call that the provider did not get, or refused for what is in it. */
export type ProviderOutcome =
  'answered' | 'caller' | 'limited' | 'failed' | 'unavailable' | 'late' | 'service';

const outcomes: Readonly<Record<number, ProviderOutcome>> = {
  429: 'limited',
  500: 'service',
  502: 'failed',
  503: 'unavailable',
  504: 'late',
};

/** The name of an integration's provider in metrics. Customers name their own providers, and there may be any number of them. */
export function providerLabel({
  providerType,
  providerDocument,
}: {
  providerType?: string;
  providerDocument?: unknown;
}): string {
  return providerDocument === undefined ? (providerType ?? 'other') : 'custom';
}

/** An operation of an integration; jobs have no request at a gateway. */
interface Noted {
  integration: ResolvedIntegration;
  isJob: boolean;
}

/** Measures the operations of integrations by provider, for operators. */
export class ProviderMetrics {
  private readonly durations: (seconds: number, provider: string, outcome: string) => void;
  private readonly unanswered: { add: () => void };
  private readonly waits: (seconds: number, provider: string, what: string, end: string) => void;

  constructor(private readonly metrics: Metrics) {
    this.durations = metrics.histogramBy(
      'onefold_provider_operation_duration_seconds',
      'Seconds of an operation at its provider, with mapping, by how it ended: docs/operations.md.',
      'provider',
      'outcome',
    );
    this.unanswered = metrics.counter(
      'onefold_provider_unanswered_calls_total',
      'Calls of the API that ended with 503 or 504 because of their provider.',
    );
    this.waits = metrics.histogramBy(
      'onefold_provider_wait_seconds',
      'Seconds that requests waited for a limit of their provider, or for a turn at its host, and how that ended.',
      'provider',
      'for',
      'outcome',
    );
  }

  /** Shows which circuits are open. */
  watch(http: Pick<ProviderHttp, 'openCircuits'>): void {
    this.metrics.gaugeBy(
      'onefold_provider_circuits_open',
      'Circuits that refuse calls after failures in a row: of a host for everybody, or of one organization at a host.',
      ['provider', 'of'],
      () => http.openCircuits.map(({ label, of }) => [[label, of], 1] as const),
    );
  }

  readonly noteWait = ({ label, for: what, seconds, outcome }: CallWait): void =>
    this.waits(seconds, label, what, outcome);

  /** Notes an operation. @param error what it threw @param begun milliseconds of `performance.now()` */
  note({ integration, isJob }: Noted, begun: number, error?: unknown): void {
    const seconds = (performance.now() - begun) / 1_000;
    const outcome = outcomeOf(error);
    this.durations(seconds, providerLabel(integration), outcome);
    if (!isJob && (outcome === 'unavailable' || outcome === 'late')) this.unanswered.add();
  }
}

function outcomeOf(error: unknown): ProviderOutcome {
  if (error === undefined) return 'answered';
  if (error instanceof DatabaseUnavailable || !(error instanceof ApiError)) return 'service';
  return outcomes[error.status] ?? 'caller';
}
