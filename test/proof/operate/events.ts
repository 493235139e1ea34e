import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder } from '../../e2e/onefold.js';
import { pretendFullDisk, until } from '#test/harness';
import type { BadDay } from './bad-day.js';
import type { Mood } from './bad-provider.js';

/** The highest cost that an event may have. */
export interface Budget {
  /** Share of the calls that may fail while it goes on. */
  failedShare: number;
  recoveryMs: number;
  /** Alerts that must fire; those with `!` wake somebody. */
  alerts: readonly string[];
  /** Alerts that may wake somebody as well, because a start takes a minute of the rules' time or more. No other may. */
  mayWake?: readonly string[];
}

export interface BadEvent {
  name: string;
  budget: Budget;
  /** Makes it happen, and ends it. */
  happen: (day: BadDay) => Promise<void>;
}

/** Twelve seconds are two minutes to the rules. */
const outageMs = 12_000;
const none: Budget = { failedShare: 0, recoveryMs: 0, alerts: [] };
/** Alerts about a process that is started again. */
const restart = ['OnefoldGone!', 'OnefoldDomainGone!'];
const outage = [...restart, 'OnefoldFails!', 'OnefoldNotReady!'];

function kill(name: string, budget: Budget): BadEvent {
  return {
    name: `kill -9 ${name}, started again`,
    budget,
    happen: async (day) => {
      await day.process(name).stop('SIGKILL');
      await day.start(name);
    },
  };
}

function gone(names: readonly string[], budget: Budget): BadEvent {
  return {
    name: `${names.join(' and ')} gone`,
    budget,
    happen: async (day) => {
      await Promise.all(names.map((name) => day.process(name).stop('SIGKILL')));
      await sleep(outageMs);
      await Promise.all(names.map((name) => day.start(name)));
    },
  };
}

function freeze(name: string, budget: Budget): BadEvent {
  return {
    name: `SIGSTOP ${name} for 12 s`,
    budget,
    happen: async (day) => {
      const { child } = day.process(name);
      child.kill('SIGSTOP');
      await sleep(outageMs);
      child.kill('SIGCONT');
    },
  };
}

function provider(mood: Exclude<Mood, 'answers'>, budget: Budget): BadEvent {
  return {
    name: `a provider ${moods[mood]}`,
    budget,
    happen: async (day) => {
      day.provider.mood = mood;
      await sleep(outageMs);
      day.provider.mood = 'answers';
    },
  };
}

const moods = {
  slow: 'takes 3 s',
  dead: 'is dead',
  fails: 'answers with 500',
  huge: 'answers with 200 MB',
} as const;

/** Starts a gateway beside the others that cannot serve; a load balancer leaves it out because it says so. */
function wrongGateway(name: string, settings: () => Record<string, string>): BadEvent {
  return {
    name,
    budget: { failedShare: 0, recoveryMs: 0, alerts: ['OnefoldProcessNotReady'] },
    happen: async (day) => {
      const wrong = await day.start('gateway 3', settings());
      await until(async () => (await day.readinessOf('gateway 3')).includes('"ready":false'));
      await sleep(outageMs);
      await wrong.stop();
      delete day.processes['gateway 3'];
    },
  };
}

/** Ten minutes late. Nothing else of the process changes. */
const lateClock = '--import data:text/javascript,const%20now=Date.now;Date.now=()=>now()-600000';

/** The events of a bad day, with their budgets. */
export const badEvents: readonly BadEvent[] = [
  kill('management', none),
  kill('operations', { ...none, mayWake: restart }),
  kill('connector', { failedShare: 0.8, recoveryMs: 3_000, alerts: [], mayWake: outage }),
  kill('gateway 2', { failedShare: 0.6, recoveryMs: 1_000, alerts: [] }),
  {
    name: 'SIGTERM of a gateway that its balancer has left out',
    budget: none,
    happen: async (day) => {
      day.leaveOut('gateway 2');
      await day.process('gateway 2').stop();
      await day.start('gateway 2');
    },
  },
  {
    name: 'rolling restart: each process after its successor is ready',
    budget: none,
    happen: async (day) => {
      for (const name of ['management', 'management 2', 'connector', 'operations']) {
        const before = day.process(name);
        await day.start(name);
        await before.stop();
      }
      for (const name of ['gateway', 'gateway 2']) {
        day.leaveOut(name);
        await day.process(name).stop();
        await day.start(name);
      }
    },
  },
  freeze('management', { failedShare: 0.1, recoveryMs: 3_000, alerts: [] }),
  freeze('connector', {
    failedShare: 0.7,
    recoveryMs: 5_000,
    alerts: ['OnefoldGone!'],
    mayWake: outage,
  }),
  {
    name: 'NATS restart',
    budget: { failedShare: 0.3, recoveryMs: 2_000, alerts: [] },
    happen: (day) => day.servers.killNats(),
  },
  {
    name: 'NATS down for 12 s',
    budget: {
      failedShare: 1,
      recoveryMs: 3_000,
      alerts: ['OnefoldFails!', 'OnefoldNotReady!', 'OnefoldProcessNotReady'],
      mayWake: outage,
    },
    happen: async (day) => {
      const { nats } = day.servers.onefold;
      await nats?.stop('SIGKILL');
      await sleep(outageMs);
      await nats?.start();
    },
  },
  {
    name: 'PostgreSQL restart',
    budget: { failedShare: 1, recoveryMs: 2_000, alerts: [], mayWake: outage },
    happen: (day) => day.servers.killPostgres(),
  },
  {
    name: 'PostgreSQL down for 12 s',
    budget: {
      failedShare: 1,
      recoveryMs: 3_000,
      alerts: ['OnefoldFails!', 'OnefoldNotReady!', 'OnefoldProcessNotReady'],
      mayWake: outage,
    },
    happen: async (day) => {
      const start = await day.servers.stopPostgres();
      await sleep(outageMs);
      await start();
    },
  },
  {
    name: 'PostgreSQL frozen for 12 s',
    budget: {
      failedShare: 1,
      recoveryMs: 12_000,
      alerts: ['OnefoldNotReady!', 'OnefoldProcessNotReady'],
      mayWake: outage,
    },
    happen: async (day) => {
      day.servers.signalPostgres('SIGSTOP');
      await sleep(outageMs);
      day.servers.signalPostgres('SIGCONT');
    },
  },
  {
    name: 'the disk of PostgreSQL is full for 12 s',
    // Reads go on; what is written meanwhile is refused with the reason.
    budget: { ...none, alerts: ['OnefoldProcessNotReady'] },
    happen: async (day) => {
      const { api } = day.servers.onefold;
      const empty = await pretendFullDisk(day.servers.databaseUrl);
      try {
        const { message } = await api.refuse('accounts_create', 503, { body: { name: 'full' } });
        if (!message.includes('the disk of the database is full')) throw new Error(message);
        const services = ['management', 'management 2']; // the one that was refused knows
        await until(async () => {
          const texts = await Promise.all(services.map((name) => day.readinessOf(name)));
          return texts.some((text) => text.includes('the disk of the database is full'));
        });
        await sleep(outageMs);
      } finally {
        await empty();
      }
      await api.call('accounts_create', { body: { name: 'room' } });
    },
  },
  {
    name: 'a token is revoked',
    budget: none,
    happen: async (day) => {
      const { api } = day.servers.onefold;
      const { result } = await api.call('tokens_create_token', {
        body: { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
      });
      const { secret } = result.primary.access;
      if ((await day.callAs(secret)) !== 200) throw new Error('the new token is refused');
      await api.call('tokens_delete', { path: { refreshTokenId: result.id } });
      await sleep(1_000); // a gateway that did not hear of it forgets the token within a second
      for (let turn = 0; turn < 4; turn += 1)
        if ((await day.callAs(secret, turn)) !== 401)
          throw new Error('the revoked token is accepted');
    },
  },
  {
    name: 'the key-encryption key is rotated',
    budget: none,
    happen: async (day) => void (await day.servers.onefold.admin('rotate-key')),
  },
  wrongGateway('a gateway with another key', () => {
    const file = join(newFolder(), 'key');
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
    return { KEY_FILE: file };
  }),
  wrongGateway('a gateway whose clock is 10 min late', () => ({ NODE_OPTIONS: lateClock })),
  gone(['management', 'management 2'], {
    failedShare: 1,
    recoveryMs: 3_000,
    alerts: ['OnefoldGone!', 'OnefoldNotReady!', 'OnefoldDomainGone!'],
    mayWake: outage,
  }),
  gone(['connector'], {
    failedShare: 0.8,
    recoveryMs: 3_000,
    alerts: ['OnefoldGone!', 'OnefoldDomainGone!'],
    mayWake: outage,
  }),
  gone(['operations'], { failedShare: 0, recoveryMs: 0, alerts: ['OnefoldGone!'] }),
  provider('slow', { failedShare: 0, recoveryMs: 0, alerts: [] }),
  provider('dead', { failedShare: 0.4, recoveryMs: 12_000, alerts: ['OnefoldProviderFails'] }),
  provider('fails', { failedShare: 0.4, recoveryMs: 12_000, alerts: ['OnefoldProviderFails'] }),
  provider('huge', { failedShare: 0.4, recoveryMs: 12_000, alerts: [] }),
];
