export { BodyBudget } from './body-budget.js';
export { GatewayAdapter } from './gateway-adapter.js';
export { GatewayConfiguration } from './gateway-configuration.js';
export { GatewayModule } from './gateway.module.js';
export { GatewaySettings } from './gateway-settings.js';
export { anonymousRate } from './rate-limits.js';
export { answeredHere } from './served-here.js';
export { listenHttp } from './listen-http.js';
export { type HttpSide, serveHttp } from './serve-http.js';
