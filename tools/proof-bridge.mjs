// npm run proof -- bridge: files of 1 GB through a bridge, both ways, then again while agent, connector and both gateways are killed with SIGKILL one after
// the other. It prints how much each process has grown, and ends with 1 where a file is not whole after it is sent again or memory is not flat.
import { run } from './install.mjs';

run(process.execPath, ['tools/test.mjs', 'test/e2e/bridge-file'], {
  env: { ...process.env, LARGE_FILES: '1' },
});
