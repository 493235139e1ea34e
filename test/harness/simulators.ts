import {
  type Fault,
  type LoggedRequest,
  Simulator,
  type SimulatorOptions,
  type Violation,
} from '#test/simulators';

/** Simulator of a vendor. */
export interface RunningSimulator {
  url: string;
  /** Sets the faults of the next requests; none if absent. */
  fault: (fault?: Fault) => Promise<void>;
  /** Limits requests from now on: `requests` in so many seconds. */
  limit: (requests: number, seconds: number) => Promise<void>;
  /** Creates further tickets. */
  seed: (count: number) => Promise<void>;
  /** Requests since the start or the last reset, oldest first. */
  requests: () => Promise<LoggedRequest[]>;
  /** Requests and responses that the vendor's description does not allow. */
  violations: () => Promise<Violation[]>;
  /** Resets the state to that after the start. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts `test/simulators/<provider>` in this process, whose specs share its code: a process of its own takes a core for two seconds. */
export async function startSimulator(provider: string): Promise<RunningSimulator> {
  const simulator = new Simulator(await optionsOf(provider));
  const url = await simulator.listen(0);
  let stopped: Promise<void> | undefined;
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/_simulator/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${provider} simulator: ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const tell = (method: string, path: string, body?: object) =>
    ask(method, path, body).then(() => undefined);
  return {
    url,
    fault: (fault) => (fault ? tell('POST', 'fault', fault) : tell('DELETE', 'fault')),
    limit: (requests, seconds) => tell('POST', 'limit', { requests, seconds }),
    seed: (count) => tell('POST', 'seed', { count }),
    requests: () => ask('GET', 'requests') as Promise<LoggedRequest[]>,
    violations: () => ask('GET', 'violations') as Promise<Violation[]>,
    reset: () => tell('POST', 'reset'),
    stop: () => (stopped ??= simulator.close()),
  };
}

/** The export of `<provider>/<provider>.ts` with the name of the provider. */
async function optionsOf(provider: string): Promise<SimulatorOptions> {
  const file = new URL(`../simulators/${provider}/${provider}.js`, import.meta.url);
  const options = ((await import(file.href)) as Record<string, SimulatorOptions>)[provider];
  if (options === undefined) throw new Error(`there is no simulator of ${provider}`);
  return options;
}
