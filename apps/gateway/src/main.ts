import 'reflect-metadata';
import { serve } from '#process';
import { GatewayConfiguration } from './gateway-configuration.js';
import { GatewayModule } from './gateway.module.js';
import { listenHttp } from './listen-http.js';

await serve({
  name: 'gateway',
  configuration: GatewayConfiguration,
  modules: [(settings) => ({ module: GatewayModule.with(settings) })],
  listen: listenHttp,
});
