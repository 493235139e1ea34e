// Takes pictures of the main screens of the console, from the demonstration data and a few systems that do not work.
//   npm run screenshots                                    writes docs/console/*.png
//   npm run screenshots -- --to /tmp/x --width 320 --dark  for a look at them
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { addDemonstration } from './console-demonstration.mjs';
import { root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

const maxStartMs = 120_000;
const { values } = parseArgs({
  options: {
    to: { type: 'string', default: join(root, 'docs/console') },
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const { provideChromium } = await import(
  join(root, 'dist/test/harness/programs/chromium-binary.js')
);
const executablePath = await provideChromium();

const data = mkdtempSync(join(tmpdir(), 'onefold-screenshots-'));
const provider = createServer((request, response) => {
  const status = Number(/^\/(\d+)\//.exec(request.url ?? '')?.[1] ?? 404);
  const message = status < 300 ? 'Accepted' : 'Refused';
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ message }));
});
const providerUrl = await listenLocally(provider);
const service = spawn(
  process.execPath,
  ['dist/apps/standalone/src/main.js', '--port', '0', '--data', data],
  {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, EGRESS_ALLOW: '127.0.0.1/32' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const said = await outputOf(service, /^Integration token: (\S+)$/m);
  const match = (pattern) => pattern.exec(said)?.[1] ?? '';
  const stage = {
    url: new URL(match(/^Console: (\S+)$/m)).origin,
    token: match(/^Organization token: (\S+)$/m),
    integrationToken: match(/^Integration token: (\S+)$/m),
    providerUrl,
  };
  const found = await addDemonstration(stage);
  await takePictures(stage, found);
} finally {
  service.kill();
  if (service.exitCode === null) await once(service, 'close');
  provider.close();
  rmSync(data, { recursive: true, force: true });
}

async function takePictures(stage, found) {
  const { screens } = await import('./console-screens.mjs');
  const to = resolve(values.to);
  mkdirSync(to, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const [name, show] of Object.entries(screens)) {
      if (!name.startsWith(values.only)) continue;
      const context = await browser.newContext({
        viewport: { width: Number(values.width), height: 860 },
        colorScheme: values.dark ? 'dark' : 'light',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const go = (path) => page.goto(`${stage.url}/console${path}`);
      if (name !== 'logon') {
        await go(`/#token=${stage.token}`);
        await page.getByRole('button', { name: 'Log on', exact: true }).click();
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
      }
      await show({ page, go, ...stage, ...found });
      if (name !== 'requests') await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(to, `${name}.png`), animations: 'disabled' });
      await context.close();
      console.log(`${name}.png`);
    }
  } finally {
    await browser.close();
  }
}

/** Returns the output of a process once a line is in it. */
function outputOf(child, pattern) {
  return new Promise((settle, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`it did not start:\n${text}`)), maxStartMs);
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (!pattern.test(text)) return;
      clearTimeout(timer);
      settle(text);
    });
    child.once('close', () => reject(new Error(`it ended:\n${text}`)));
  });
}
