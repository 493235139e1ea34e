import { afterAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { isAccessLogged, writeAccessTo } from './access-log.js';
import { nestLevelsFrom, type Severity } from './json-log.js';
import { startService } from './start-service.js';

afterAll(() => {
  Logger.overrideLogger(nestLevelsFrom('debug')); // other specs share the logger
  Logger.overrideLogger(true);
  writeAccessTo(undefined);
});

it.each<[Severity, boolean, boolean]>([
  ['debug', true, true],
  ['info', false, true],
  ['warn', false, false],
])('at level %s Nest knows which lines are written', async (logLevel, debug, info) => {
  const stop = await startService(
    { name: 'test', logLevel, observeHost: '127.0.0.1', observePort: 0 },
    async () => ({ stop: async () => undefined }),
  );
  await stop();
  expect(Logger.isLevelEnabled('debug')).toBe(debug);
  expect(Logger.isLevelEnabled('log')).toBe(info);
  expect(Logger.isLevelEnabled('error')).toBe(true);
});

it.each([undefined, true])('writes an access log where it is asked for: %s', async (accessLog) => {
  const stop = await startService(
    {
      name: 'test',
      logLevel: 'error',
      observeHost: '127.0.0.1',
      observePort: 0,
      ...(accessLog === undefined ? {} : { accessLog }),
    },
    async () => ({ stop: async () => undefined }),
  );
  expect(isAccessLogged()).toBe(accessLog === true);
  await stop();
});
