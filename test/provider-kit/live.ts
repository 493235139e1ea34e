import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { startSimulator } from '#test/harness';
import type { ProviderFolder } from './folders.js';
import { type Live, planOf, RecordFailed } from './plan.js';

/** A limit that no call waits for. */
const longSeconds = 900;

/** A live system out of a local file: `configuration`, and perhaps `forbidden`, `lacking` and `scrub`. */
export function liveOf(file: string): Live {
  if (!existsSync(file)) throw new RecordFailed(`${file}: there is no such file`);
  const live = parse(readFileSync(file, 'utf8')) as Partial<Live> | null;
  if (typeof live?.configuration !== 'object')
    throw new RecordFailed(`${file} has no configuration: the provider_config to record with`);
  return { ...live, configuration: live.configuration };
}

/** The provider's simulator, configured as its walk says. */
export async function simulated(
  folder: ProviderFolder,
): Promise<{ live: Live; stop: () => Promise<void> }> {
  if (!folder.has('walk.yaml') || !folder.has('simulator'))
    throw new RecordFailed(`${folder.name} has no simulator; record with --config FILE`);
  const { configuration } = parse(folder.read('walk.yaml')) as { configuration: object };
  const simulator = await startSimulator(folder.name);
  return {
    live: {
      configuration: { ...configuration, url: simulator.url },
      forbidden: planOf(folder).forbidden,
      fail: (status) =>
        simulator.fault(
          status === 429
            ? { kind: 'rate_limit', seconds: longSeconds }
            : { kind: 'status', status },
        ),
    },
    stop: () => simulator.stop(),
  };
}
