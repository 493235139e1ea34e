export { type Fault } from './faults.js';
export { type LoggedRequest, type Violation } from './log.js';
export { runSimulator } from './main.js';
export { hexSignature, messageId, sendWebhook } from './send-webhook.js';
export { Simulator } from './simulator.js';
export {
  type Allowance,
  type Answer,
  asText,
  Disallowed,
  type Exchange,
  type PlainRequest,
  Refusal,
  type SimulatorOptions,
  type UploadedFile,
  type Vendor,
} from './vendor.js';
